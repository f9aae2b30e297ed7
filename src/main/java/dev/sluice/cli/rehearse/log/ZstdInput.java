package dev.sluice.cli.rehearse.log;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Decompresses zstd. The only class that uses its library. */
final class ZstdInput extends FilterInputStream {

    ZstdInput(InputStream compressed) {
        super(new ZstdInputStream(compressed));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int count = read(one, 0, 1);
        return count < 0 ? -1 : one[0] & 0xff;
    }

    /** Turns the library's runtime exceptions for a broken file into {@link IOException}. */
    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        try {
            return in.read(bytes, from, length);
        } catch (RuntimeException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
