// The layout of the bytes that Python sends; `payload_bytes` in `payload.py` writes them.
//
// A *payload* is one run of bytes: the length of the header (uint32, little endian), the header (JSON in UTF-8, padded
// with blanks to a multiple of 8), then the arrays one after the other, each padded to a multiple of 8. The header's
// `arrays` maps a name to [type, first byte after the header, number of items]; types are the keys of ARRAY_TYPES. Every
// array comes in the smallest type that holds its numbers exactly.

/** @typedef {Uint8Array | Uint16Array | Int32Array | Float32Array | Float64Array} Numbers */
/** @typedef {{ header: any, arrays: Record<string, Numbers> }} Payload */

/** @type {Record<string, new (buffer: ArrayBufferLike, offset: number, count: number) => Numbers>} */
const ARRAY_TYPES = {
  u8: Uint8Array,
  u16: Uint16Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
};

/**
 * Header and arrays of a payload, a Uint8Array that may begin anywhere in its buffer.
 * @param {Uint8Array} bytes @returns {Payload}
 */
export function splitPayload(bytes) {
  const own = bytes.slice();
  const length = new DataView(own.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(own.subarray(4, 4 + length)));
  const begin = 4 + length;
  /** @type {Record<string, Numbers>} */
  const arrays = {};
  for (const [name, [type, offset, count]] of /** @type {[string, [string, number, number]][]} */ (Object.entries(header.arrays))) {
    arrays[name] = new ARRAY_TYPES[type](own.buffer, begin + offset, count);
  }
  return { header, arrays };
}
