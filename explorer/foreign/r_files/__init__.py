"""Tree ensembles in ONNX files, whichever converter wrote them."""
