package dev.sluice.cli.rehearse.log;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.zip.GZIPInputStream;

/** Detects compression by the first bytes, and decompresses. */
final class Compression {

    private static final int BUFFER = 1 << 16;
    private static final int GZIP = 0x1f8b;
    private static final int ZSTD = 0x28b52ffd;

    private Compression() {}

    /** The bytes as they were before compression, if they are compressed. */
    static InputStream decompressed(InputStream raw) throws IOException {
        byte[] first = raw.readNBytes(4);
        InputStream whole = new Joined(first, raw);
        if (first.length >= 2 && ((first[0] & 0xff) << 8 | (first[1] & 0xff)) == GZIP) {
            return new GZIPInputStream(whole, BUFFER);
        }
        return first.length == 4 && word(first) == ZSTD ? ZstdInput.open(whole) : whole;
    }

    private static int word(byte[] first) {
        return first[0] << 24 | (first[1] & 0xff) << 16 | (first[2] & 0xff) << 8 | (first[3] & 0xff);
    }

    /** The bytes that were looked at, and then the rest. */
    private static final class Joined extends SequenceInputStream {

        private Joined(byte[] first, InputStream rest) {
            super(new ByteArrayInputStream(first), rest);
        }

        @Override
        public int available() {
            return 1;
        }
    }
}
