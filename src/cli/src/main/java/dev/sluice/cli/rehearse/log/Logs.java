package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.rehearse.format.Formats;
import dev.sluice.cli.rehearse.format.LoggedCall;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the logs of several machines or days, and merges them into one sequence of calls. Not thread-safe. */
public final class Logs implements Closeable {

    private static final long LEAST_WAITING = 8L << 20;
    private static final long MOST_PENDING = 256L << 20;
    /** Buffered calls can occupy at most the JVM's maximum memory divided by this number. */
    private static final int PART_OF_MEMORY = 10;

    private final List<LogFile> files = new ArrayList<>();
    private final LogCounts counts = new LogCounts();
    private final @Nullable String cut;

    /**
     * Opens logs.
     *
     * @param names the file names; {@code -} is standard input
     * @param format the format of all logs, as for {@link Formats#named}; {@code null} to detect the format of each log
     * @param cut the context path to remove from paths; {@code null} if there is none
     */
    public Logs(List<String> names, Formats formats, @Nullable String format, @Nullable String cut) {
        this.cut = cut;
        try {
            for (String name : names) {
                files.add(new LogFile(name, formats, format == null ? null : formats.named(format), counts));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    public LogSummary summary() {
        return counts.summary();
    }

    /** Returns the total size of the files in bytes; -1 if unknown. */
    public long size() {
        return files.stream().allMatch(file -> file.size() >= 0)
                ? files.stream().mapToLong(LogFile::size).sum()
                : -1;
    }

    /** Returns the number of bytes read so far. */
    public long position() {
        return files.stream().mapToLong(LogFile::position).sum();
    }

    /**
     * Passes all calls to the sink in the order of their start. Stops at the end of the logs, or when {@code isEnough}
     * returns {@code true}.
     *
     * @throws CommandFailure if too many lines are out of order, so that a rehearsal would not be useful
     */
    public void play(Consumer<LoggedCall> sink, BooleanSupplier isEnough) {
        CallsByStart order = new CallsByStart(counts, mostQueued(), sink);
        PriorityQueue<Head> heads =
                new PriorityQueue<>(Comparator.comparingLong(head -> head.call().loggedMillis()));
        files.forEach(file -> offer(heads, file));
        for (Head head = heads.poll(); head != null && !isEnough.getAsBoolean(); head = heads.poll()) {
            add(head.call(), order);
            offer(heads, head.file());
        }
        order.finish();
        counts.requireOrder();
    }

    private static long mostQueued() {
        long part = Runtime.getRuntime().maxMemory() / PART_OF_MEMORY;
        return Math.max(LEAST_WAITING, Math.min(MOST_PENDING, part));
    }

    private void add(LoggedCall call, CallsByStart order) {
        LoggedCall within = cut == null ? call : call.within(cut);
        if (within == null) {
            counts.outside++;
        } else {
            order.add(within);
        }
    }

    private record Head(LoggedCall call, LogFile file) {}

    private static void offer(PriorityQueue<Head> heads, LogFile file) {
        LoggedCall next = file.next();
        if (next != null) {
            heads.add(new Head(next, file));
        }
    }

    @Override
    public void close() {
        files.forEach(LogFile::close);
    }
}
