"""Opens and seals encrypted backups: `seal.py open|seal KEY-FILE <IN >OUT`. What comes out of `open` is a frame of LZ4."""

import base64
import os
import sys

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

FIRST_LINE = b"hitode encrypted backup 1\n"
PREFIX = "hitode-backup-key:"
PART = 1 << 16
TAG = 16


def derive(key, salt, info):
    return HKDF(SHA256(), 32, salt, info).derive(key)


def parts(whole, length):
    """The parts, each with its nonce. There is one at least."""
    count = max(1, -(-len(whole) // length))
    for number in range(count):
        nonce = number.to_bytes(11, "big") + bytes([number == count - 1])
        yield nonce, whole[number * length : (number + 1) * length]


def unsealed(key, file):
    first, salt, check, sealed = file[:26], file[26:58], file[58:90], file[90:]
    if first != FIRST_LINE or check != derive(key, salt, b"check"):
        sys.exit("this file was not encrypted with this key")
    cipher = ChaCha20Poly1305(derive(key, salt, b"parts"))
    return b"".join(cipher.decrypt(nonce, part, None) for nonce, part in parts(sealed, PART + TAG))


def sealed(key, file):
    salt = os.urandom(32)
    cipher = ChaCha20Poly1305(derive(key, salt, b"parts"))
    beginning = FIRST_LINE + salt + derive(key, salt, b"check")
    return beginning + b"".join(cipher.encrypt(nonce, part, None) for nonce, part in parts(file, PART))


def main(action, path):
    with open(path, encoding="utf-8") as lines:
        key = base64.b64decode(lines.read().strip().removeprefix(PREFIX))
    sys.stdout.buffer.write({"open": unsealed, "seal": sealed}[action](key, sys.stdin.buffer.read()))


main(*sys.argv[1:])
