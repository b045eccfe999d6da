#!/bin/sh
# Start the app in a container, or ask whether it is healthy. Runs from the folder that holds app.py.
set -eu
port="${PORT:-8501}"
prefix="${STREAMLIT_SERVER_BASE_URL_PATH:-}"

if [ "${1:-}" = health ]; then
    exec python - "http://127.0.0.1:${port}${prefix:+/${prefix#/}}/_stcore/health" <<'PYTHON'
import sys
import urllib.request

urllib.request.urlopen(sys.argv[1], timeout=4).close()
PYTHON
fi

# The image may be read-only, and numba uses only a cache that it can write to.
if [ -d compiled ] && [ ! -d "${NUMBA_CACHE_DIR:?}" ]; then
    cp -R compiled "$NUMBA_CACHE_DIR"
fi

exec python -m streamlit run app.py --server.port "$port" --server.address "${ADDRESS:-0.0.0.0}" \
    --server.headless true "$@"
