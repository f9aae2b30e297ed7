package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.cli.rehearse.format.Formats;
import dev.sluice.cli.rehearse.format.LineFormat;
import dev.sluice.internal.text.SafeText;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the calls of one log, one after the other. Not thread-safe. */
final class LogFile implements Closeable {

    private static final int LOOKED_AT = 1 << 18;
    private static final int GIVEN_UP_AFTER = 10_000;
    private static final int MOST_LINES_LOOKED_AT = 200;
    /** A line this far ahead of its neighbours has a wrong time. */
    private static final long AHEAD_MILLIS = 86_400_000;

    private final String name;
    private final CountedInput raw;
    private final LogCounts counts;
    private final LineReader lines;
    private final @Nullable LineFormat format;
    private boolean isReadable;
    /** A call that was read while looking ahead. */
    private @Nullable LoggedCall following;
    /** When the last call was logged. */
    private long latestMillis = Long.MIN_VALUE;

    /**
     * Opens a file, or standard input if the name is {@code -}.
     *
     * @param given the format; {@code null} to detect it
     */
    LogFile(String file, Formats formats, @Nullable LineFormat given, LogCounts counts) {
        this.name = file.equals("-") ? "standard input" : SafeText.of(file);
        this.raw = CountedInput.open(file);
        this.counts = counts;
        byte[] beginning = new byte[0];
        InputStream plain = InputStream.nullInputStream();
        try {
            plain = raw.decompressed();
            beginning = beginning(plain);
        } catch (IOException e) {
            close();
            throw new CommandFailure("cannot read " + name + ": " + reason(e), e);
        }
        this.format = beginning.length == 0 ? null : given != null ? given : found(formats, beginning);
        this.lines = new LineReader(new SequenceInputStream(new ByteArrayInputStream(beginning), plain));
        counts.formats.add(name + ": " + (format == null ? "empty" : format.name()));
    }

    /** The first bytes; fewer if the file is truncated. */
    private byte[] beginning(InputStream plain) throws IOException {
        byte[] bytes = new byte[LOOKED_AT];
        int filled = 0;
        try {
            for (int count = 0; count >= 0 && filled < bytes.length && !isEnough(bytes, filled); ) {
                count = plain.read(bytes, filled, bytes.length - filled);
                filled += Math.max(0, count);
            }
        } catch (IOException e) {
            if (filled == 0) {
                throw e;
            } // the error comes again once these lines were played
        }
        return Arrays.copyOf(bytes, filled);
    }

    /** A limited number of lines is enough: someone may type them, or follow a growing log. */
    private static boolean isEnough(byte[] bytes, int filled) {
        int ends = 0;
        for (int i = 0; i < filled; i++) {
            ends += bytes[i] == '\n' ? 1 : 0;
        }
        return ends >= MOST_LINES_LOOKED_AT;
    }

    private LineFormat found(Formats formats, byte[] beginning) {
        List<byte[]> sample = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= beginning.length && sample.size() < MOST_LINES_LOOKED_AT; i++) {
            boolean isEnd = i == beginning.length || beginning[i] == '\n';
            if (isEnd && i > from && i - from <= LineReader.LONGEST) {
                sample.add(Arrays.copyOfRange(beginning, from, beginning[i - 1] == '\r' ? i - 1 : i));
            }
            from = isEnd ? i + 1 : from;
        }
        LineFormat known = formats.of(sample);
        if (known == null) {
            close();
            byte[] first = sample.isEmpty() ? beginning : sample.get(0);
            throw new CommandFailure("cannot detect the format of " + name + "; name it, for example --format "
                    + "'$remote_addr - $remote_user [$time_local] \"$request\" $status'. The log begins: "
                    + LogCounts.shown(first, 0, first.length));
        }
        return known;
    }

    /**
     * The next call; {@code null} at the end, even if the file is truncated. Skips a call that is more than a day ahead
     * of the lines before and after it: otherwise all that follow it would count as late.
     */
    @Nullable LoggedCall next() {
        LoggedCall next = following == null ? read() : following;
        following = null;
        while (next != null && isAhead(next, latestMillis)) {
            LoggedCall doubtful = copyOf(next);
            next = read();
            if (next == null || !isAhead(doubtful, next.loggedMillis())) {
                following = next;
                next = doubtful;
                break;
            }
            counts.ahead++;
        }
        latestMillis = next == null ? latestMillis : next.loggedMillis();
        return next;
    }

    private static boolean isAhead(LoggedCall call, long ofMillis) {
        return call.loggedMillis() - AHEAD_MILLIS > ofMillis;
    }

    private static LoggedCall copyOf(LoggedCall call) {
        byte[] bytes = new byte[call.length()];
        call.copyTo(bytes, 0);
        LoggedCall copy = call.newView();
        copy.moveTo(bytes, 0);
        return copy;
    }

    private @Nullable LoggedCall read() {
        if (format == null) {
            return null;
        }
        try {
            while (lines.next()) {
                LoggedCall call = call(format);
                if (call != null) {
                    return call;
                }
            }
        } catch (IOException e) {
            counts.broken.add(name + " ends in the middle, after line " + lines.number() + ": " + reason(e)
                    + "; the lines before that were played");
        }
        return null;
    }

    private @Nullable LoggedCall call(LineFormat how) {
        if (lines.from() == lines.to()) {
            return null;
        }
        counts.lines++;
        LoggedCall call = lines.isTooLong() ? null : how.read(lines.bytes(), lines.from(), lines.to());
        if (call == null) {
            requireReadable();
            counts.addUnreadable(
                    name + ":" + lines.number(), lines.bytes(), lines.from(), lines.to(), lines.isTooLong());
        } else if (call == LoggedCall.NO_REQUEST) {
            isReadable = true;
            counts.withoutRequest++;
            return null;
        }
        isReadable |= call != null;
        return call;
    }

    /** Gives up on a log if none of its first lines is in the format. */
    private void requireReadable() {
        if (!isReadable && lines.number() >= GIVEN_UP_AFTER) {
            throw new CommandFailure("none of the first " + GIVEN_UP_AFTER + " lines of " + name
                    + " is in the given format; the last of them: "
                    + LogCounts.shown(lines.bytes(), lines.from(), lines.to()));
        }
    }

    private static String reason(IOException e) {
        return e instanceof EOFException ? "it is truncated" : SafeText.cut(String.valueOf(e.getMessage()), 200);
    }

    /** The number of raw bytes read so far. */
    long position() {
        return raw.position();
    }

    /** In bytes; -1 if unknown. */
    long size() {
        return raw.size();
    }

    @Override
    public void close() {
        try {
            raw.close();
        } catch (IOException e) {
            counts.broken.add("cannot close " + name + ": " + reason(e));
        }
    }
}
