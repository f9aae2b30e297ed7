package dev.sluice.fleet.served;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Until it is closed, pauses one process at a time for 20 to 200 ms, lets it continue, and then pauses none for at
 * least 300 ms.
 */
final class Staller implements AutoCloseable {

    static final long LONGEST_MILLIS = 200;
    private static final long SHORTEST_MILLIS = 20;
    private static final long SHORTEST_PEACE_MILLIS = 300;
    private static final long LONGEST_PEACE_MILLIS = 600;

    private final List<Long> processes;
    private final Random random;
    private final Process shell;
    private final PrintStream orders;
    private final BufferedReader answers;
    private final Thread thread = new Thread(this::stall, "staller");
    private volatile boolean ended;
    private final AtomicInteger stalls = new AtomicInteger();
    private volatile long longestNanos;

    /** Begins at once; stops nothing if there are no processes. */
    Staller(List<Long> processes, long seed) {
        this.processes = List.copyOf(processes);
        this.random = new Random(seed);
        try {
            this.shell = new ProcessBuilder("sh").redirectErrorStream(true).start(); // its kill needs no new process
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.orders = new PrintStream(shell.getOutputStream(), true, StandardCharsets.UTF_8);
        this.answers = shell.inputReader(StandardCharsets.UTF_8);
        thread.setDaemon(true);
        if (!processes.isEmpty()) {
            thread.start();
        }
    }

    private void stall() {
        while (!ended) {
            sleep(SHORTEST_PEACE_MILLIS, LONGEST_PEACE_MILLIS);
            long process = processes.get(random.nextInt(processes.size()));
            long began = System.nanoTime();
            signal("STOP", process);
            sleep(SHORTEST_MILLIS, LONGEST_MILLIS);
            signal("CONT", process);
            longestNanos = Math.max(longestNanos, System.nanoTime() - began);
            stalls.incrementAndGet();
        }
    }

    private void sleep(long shortestMillis, long longestMillis) {
        ServedCaller.pauseUntil(System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(shortestMillis)
                + (long) (random.nextDouble() * TimeUnit.MILLISECONDS.toNanos(longestMillis - shortestMillis)));
    }

    private void signal(String name, long process) {
        orders.println("kill -" + name + " " + process + "; echo $?");
        try {
            String answer = answers.readLine();
            if (!"0".equals(answer)) {
                throw new IllegalStateException("cannot send " + name + ": " + answer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often a process was stopped. */
    int stalls() {
        return stalls.get();
    }

    /** How long a process was stopped at most; longer than intended if this process was starved of CPU. */
    long longestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(longestNanos);
    }

    /** Lets the process that is stopped go on. */
    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        shell.destroy();
    }
}
