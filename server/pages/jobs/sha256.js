// The SHA-256 digest of a text in hexadecimal digits (FIPS 180-4), for pages without HTTPS: there browsers have no crypto.subtle.
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
// The first 32 bits of the fraction of a root.
const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
const K = primes.map((prime) => fraction(Math.cbrt(prime)));
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const turn = (word, by) => (word >>> by) | (word << (32 - by));

export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new Uint8Array(blocks * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const sum = [...START];
  for (let block = 0; block < blocks; block++) {
    const words = Array.from({ length: 16 }, (_, at) => view.getInt32(block * 64 + at * 4));
    for (let at = 16; at < 64; at++) {
      const [far, near] = [words[at - 15], words[at - 2]];
      const first = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
      const second = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
      words[at] = (words[at - 16] + first + words[at - 7] + second) | 0;
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let at = 0; at < 64; at++) {
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[at] + words[at];
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => {
      sum[at] = (sum[at] + word) | 0;
    });
  }
  return sum.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
