package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.command.CommandFailure;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** Reads the raw bytes of a file or of standard input. Counts the bytes that were read, and can decompress them. */
final class CountingInput extends FilterInputStream {

    private static final int BUFFER = 1 << 16;
    private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

    private final String file;
    private final long size;
    private long read;

    private CountingInput(String file, InputStream in, long size) {
        super(in);
        this.file = file;
        this.size = size;
    }

    /** Opens the file, or standard input if the name is {@code -}. */
    static CountingInput open(String file) {
        if (file.equals("-")) {
            return new CountingInput(file, System.in, -1);
        }
        try {
            Path path = Path.of(file);
            if (Files.isDirectory(path)) {
                throw new CommandFailure(file + " is a directory; name the logs in it: " + file + "/*.log");
            }
            return new CountingInput(
                    file, Files.newInputStream(path), Files.isRegularFile(path) ? Files.size(path) : -1);
        } catch (NoSuchFileException | InvalidPathException e) {
            throw new CommandFailure(
                    "there is no file " + file + "; write the name of an access log, or - for standard input", e);
        } catch (AccessDeniedException e) {
            throw new CommandFailure("cannot open " + file + ": permission denied", e);
        } catch (IOException e) {
            throw new CommandFailure("cannot open " + file + ": " + e.getMessage(), e);
        }
    }

    /** Returns the bytes of the log. If the log is compressed with gzip, the bytes are decompressed. */
    InputStream decompressed() throws IOException {
        PushbackInputStream whole = new PushbackInputStream(this, ZSTD.length);
        byte[] first = whole.readNBytes(ZSTD.length);
        whole.unread(first);
        if (Arrays.equals(first, ZSTD)) {
            throw new CommandFailure(file + " is compressed with zstd; decompress it, for example: zstdcat " + file
                    + " | sluice rehearse FILE -");
        }
        boolean isZipped = first.length >= 2 && first[0] == (byte) 0x1f && first[1] == (byte) 0x8b;
        return isZipped ? new GZIPInputStream(whole, BUFFER) : whole;
    }

    /** Returns the file size in bytes; -1 if unknown. */
    long size() {
        return size;
    }

    /** Returns the number of bytes read so far. */
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

    /**
     * Never returns 0, because the gzip reader looks for a further gzip member only if more bytes seem to be available.
     */
    @Override
    public int available() {
        return 1;
    }

    /** Closes the file, but leaves standard input open. */
    @Override
    public void close() throws IOException {
        if (in != System.in) {
            in.close();
        }
    }
}
