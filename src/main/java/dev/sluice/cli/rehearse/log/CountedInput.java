package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.command.CommandFailure;
import io.airlift.compress.zstd.ZstdInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;

/** The raw bytes of a file or of standard input; counts those that were read, and decompresses them. */
final class CountedInput extends FilterInputStream {

    private static final int BUFFER = 1 << 16;
    private static final String GZIP = "1f8b";
    private static final String ZSTD = "28b52ffd";

    private final long size;
    private long read;

    private CountedInput(InputStream in, long size) {
        super(in);
        this.size = size;
    }

    /** Opens the file, or standard input if the name is {@code -}. */
    static CountedInput open(String file) {
        if (file.equals("-")) {
            return new CountedInput(System.in, -1);
        }
        try {
            Path path = Path.of(file);
            if (Files.isDirectory(path)) {
                throw new CommandFailure(file + " is a directory; name the logs in it: " + file + "/*.log");
            }
            return new CountedInput(Files.newInputStream(path), Files.isRegularFile(path) ? Files.size(path) : -1);
        } catch (NoSuchFileException | InvalidPathException e) {
            throw new CommandFailure(
                    "there is no file " + file + "; write the name of an access log, or - for standard input", e);
        } catch (AccessDeniedException e) {
            throw new CommandFailure("cannot open " + file + ": permission denied", e);
        } catch (IOException e) {
            throw new CommandFailure("cannot open " + file + ": " + e.getMessage(), e);
        }
    }

    /** The bytes of the log, decompressed if the first ones say how. */
    InputStream decompressed() throws IOException {
        PushbackInputStream whole = new PushbackInputStream(this, 4);
        byte[] first = whole.readNBytes(4);
        whole.unread(first);
        String beginning = HexFormat.of().formatHex(first);
        if (beginning.startsWith(GZIP)) {
            return new GZIPInputStream(whole, BUFFER);
        }
        return beginning.equals(ZSTD) ? new ZstdInput(whole) : whole;
    }

    /** In bytes; -1 if unknown. */
    long size() {
        return size;
    }

    /** The number of bytes read so far. */
    long position() {
        return read;
    }

    @Override
    public int read() throws IOException {
        int one = in.read();
        read += one < 0 ? 0 : 1;
        return one;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int count = in.read(bytes, from, length);
        read += Math.max(0, count);
        return count;
    }

    /** Never 0, since the reader of gzip looks for another member only if more bytes may follow. */
    @Override
    public int available() {
        return 1;
    }

    /** Leaves standard input open. */
    @Override
    public void close() throws IOException {
        if (in != System.in) {
            in.close();
        }
    }

    /** Decompresses zstd. The only class that uses its library. */
    private static final class ZstdInput extends FilterInputStream {

        private ZstdInput(InputStream compressed) {
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
}
