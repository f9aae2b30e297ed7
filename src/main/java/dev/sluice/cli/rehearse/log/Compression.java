package dev.sluice.cli.rehearse.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;

/** Detects compression by the first bytes, and decompresses. */
final class Compression {

    private static final int BUFFER = 1 << 16;
    private static final String GZIP = "1f8b";
    private static final String ZSTD = "28b52ffd";

    private Compression() {}

    /** Decompresses the bytes, if they are compressed. */
    static InputStream decompressed(InputStream raw) throws IOException {
        PushbackInputStream whole = new PushbackInputStream(raw, 4);
        byte[] first = whole.readNBytes(4);
        whole.unread(first);
        String beginning = HexFormat.of().formatHex(first);
        if (beginning.startsWith(GZIP)) {
            return new GZIPInputStream(whole, BUFFER);
        }
        return beginning.equals(ZSTD) ? new ZstdInput(whole) : whole;
    }
}
