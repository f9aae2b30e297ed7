package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.rehearse.format.Formats;
import dev.sluice.cli.rehearse.format.LineFormat;
import dev.sluice.cli.rehearse.format.LoggedCall;
import dev.sluice.cli.rehearse.log.LineReader.Line;
import dev.sluice.internal.text.SafeText;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the calls of one log in sequence. Not thread-safe. */
final class LogFile implements Closeable {

    private static final int GIVEN_UP_AFTER = 10_000;
    /**
     * The number of lines that are read to detect the format. It is small, because lines can arrive slowly if somebody
     * types them or the log is still growing.
     */
    private static final int MOST_LINES_LOOKED_AT = 200;
    /** If a line is more than this time ahead of its neighbours, its timestamp is considered wrong. */
    private static final long AHEAD_MILLIS = 86_400_000;

    private final String name;
    private final CountingInput raw;
    private final LogCounts counts;
    private final LineReader lines;
    private final @Nullable LineFormat format;
    /** Lines that were read to detect the format, and that have not been parsed as calls yet. */
    private final Deque<Line> first = new ArrayDeque<>();
    /** The reason why no further lines can be read; {@code null} if there is none. */
    private @Nullable IOException failure;

    private long number;
    private boolean isReadable;
    /** A call that was read ahead, and that {@link #next} will return next. */
    private @Nullable LoggedCall following;
    /** The time when the last returned call was logged. */
    private long latestMillis = Long.MIN_VALUE;

    /**
     * Opens a file, or standard input if the name is {@code -}.
     *
     * @param given the specified format; {@code null} to detect it
     */
    LogFile(String file, Formats formats, @Nullable LineFormat given, LogCounts counts) {
        this.name = file.equals("-") ? "standard input" : SafeText.of(file);
        this.raw = CountingInput.open(file);
        this.counts = counts;
        try {
            this.lines = new LineReader(raw.decompressed());
            readFirst();
            this.format = first.isEmpty() ? null : given != null ? given : found(formats);
        } catch (IOException e) {
            close();
            throw new CommandFailure("cannot read " + name + ": " + reason(e), e);
        } catch (CommandFailure e) {
            close();
            throw e;
        }
        counts.formats.add(name + ": " + (format == null ? "empty" : format.name()));
    }

    /**
     * Reads the first lines of the log. If the file is truncated, this method reads only the lines before the point
     * where it ends.
     */
    private void readFirst() throws IOException {
        try {
            for (Line line = lines.next(); line != null; line = lines.next()) {
                first.add(line);
                if (first.size() == MOST_LINES_LOOKED_AT) {
                    return;
                }
            }
        } catch (IOException e) {
            if (first.isEmpty()) {
                throw e;
            }
            failure = e;
        }
    }

    private LineFormat found(Formats formats) {
        List<String> sample = first.stream()
                .filter(line -> !line.isTooLong() && !line.text().isEmpty())
                .map(Line::text)
                .toList();
        LineFormat known = formats.of(sample);
        if (known == null) {
            throw new CommandFailure("cannot detect the format of " + name + "; name it, for example --format "
                    + "'$remote_addr - $remote_user [$time_local] \"$request\" $status'. The log begins: "
                    + LogCounts.shown(sample.isEmpty() ? first.element().text() : sample.get(0)));
        }
        return known;
    }

    /**
     * Returns the next call; {@code null} at the end of the log, even if the file is truncated. Skips a call that is
     * more than a day ahead of the lines before and after it. If it did not skip that call, all subsequent lines would
     * be treated as late.
     */
    @Nullable LoggedCall next() {
        LoggedCall next = following == null ? read() : following;
        following = null;
        while (next != null && isAhead(next, latestMillis)) {
            LoggedCall doubtful = next;
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

    private @Nullable LoggedCall read() {
        if (format == null) {
            return null;
        }
        try {
            for (Line line = nextLine(); line != null; line = nextLine()) {
                LoggedCall call = call(format, line);
                if (call != null) {
                    return call;
                }
            }
        } catch (IOException e) {
            counts.broken.add(name + " ends in the middle, after line " + number + ": " + reason(e)
                    + "; the earlier lines were played");
        }
        return null;
    }

    private @Nullable Line nextLine() throws IOException {
        if (first.isEmpty() && failure != null) {
            throw failure;
        }
        Line line = first.isEmpty() ? lines.next() : first.remove();
        number++;
        return line;
    }

    private @Nullable LoggedCall call(LineFormat how, Line line) {
        if (line.text().isEmpty()) {
            return null;
        }
        counts.lines++;
        LoggedCall call = line.isTooLong() ? null : how.read(line.text());
        if (call == null) {
            requireReadable(line);
            counts.addUnreadable(name + ":" + number, line.text(), line.isTooLong());
            return null;
        }
        isReadable = true;
        if (call.equals(LoggedCall.NO_REQUEST)) {
            counts.withoutRequest++;
            return null;
        }
        return call;
    }

    /** Rejects a log if none of its first lines is in the specified format. */
    private void requireReadable(Line line) {
        if (!isReadable && number >= GIVEN_UP_AFTER) {
            throw new CommandFailure("none of the first " + GIVEN_UP_AFTER + " lines of " + name
                    + " is in the given format; the last line was: " + LogCounts.shown(line.text()));
        }
    }

    private static String reason(IOException e) {
        return e instanceof EOFException ? "it is truncated" : SafeText.cut(String.valueOf(e.getMessage()), 200);
    }

    /** Returns the number of raw bytes read so far. */
    long position() {
        return raw.position();
    }

    /** Returns the file size in bytes; -1 if unknown. */
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
