"""Writes and reads an encrypted Parquet file, which calls the libcrypto in pyarrow's libparquet.so."""

import base64

import pyarrow
import pyarrow.parquet
import pyarrow.parquet.encryption as encryption


class Keys(encryption.KmsClient):
    def __init__(self, connection) -> None:
        super().__init__()

    def wrap_key(self, key: bytes, name: str) -> bytes:
        return base64.b64encode(key)

    def unwrap_key(self, wrapped: bytes, name: str) -> bytes:
        return base64.b64decode(wrapped)


def round_trip() -> None:
    factory, connection = encryption.CryptoFactory(Keys), encryption.KmsConnectionConfig()
    table = pyarrow.table({"a": list(range(1000))})
    wanted = encryption.EncryptionConfiguration(footer_key="f", column_keys={"c": ["a"]})
    properties = factory.file_encryption_properties(connection, wanted)
    with pyarrow.parquet.ParquetWriter("a.parquet", table.schema, encryption_properties=properties) as writer:
        writer.write_table(table)
    properties = factory.file_decryption_properties(connection, encryption.DecryptionConfiguration())
    assert pyarrow.parquet.ParquetFile("a.parquet", decryption_properties=properties).read().equals(table)
