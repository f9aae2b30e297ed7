package dev.sluice.benchmarks.http;

import dev.sluice.benchmarks.AllBenchmarks;
import dev.sluice.benchmarks.http.LimitedServer.Kind;
import dev.sluice.benchmarks.http.LimitedServer.Limiter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares our filter with the server's own filter, on Tomcat and on Jetty, under load from {@code wrk} with keep-alive
 * connections. For each kind of server, two servers run the whole time, each in its own JVM, and {@code wrk} sends
 * requests to them alternately. Each round covers both servers, and their order changes from round to round.
 *
 * <pre>java -cp target/benchmarks.jar dev.sluice.benchmarks.http.OverHttp</pre>
 */
public final class OverHttp {

    private static final int ROUNDS = 10;
    private static final int ROUNDS_IF_QUICK = 2;
    private static final int WARM_UP_SECONDS = 8;
    private static final int SECONDS = 4;
    private static final Pattern PORT = Pattern.compile("port (\\d+)");
    private static final Pattern THROUGHPUT = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
    private static final Pattern P99 = Pattern.compile("99%\\s+([\\d.]+)(us|ms|s)\\b");
    private static final Pattern CALLS = Pattern.compile("(\\d+) requests in");
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern FAILED = Pattern.compile("Non-2xx or 3xx responses|Socket errors");

    private OverHttp() {}

    /** The figures that {@code wrk} reports for a run of a few seconds. */
    public record Load(double perSecond, double p99Millis) {}

    /** The figures of both filters under the same load, one immediately after the other. */
    public record Round(Load sluice, Load own) {

        /** The ratio of our throughput to that of the server's own filter. */
        public double throughput() {
            return sluice.perSecond / own.perSecond;
        }

        /** The 99th percentile of response times with our filter minus that with the server's own, in milliseconds. */
        public double laterMillis() {
            return sluice.p99Millis - own.p99Millis;
        }
    }

    public static void main(String[] args) throws Exception {
        boolean quick = args.length > 0 && args[0].equals("--quick");
        for (Kind server : Kind.values()) {
            Optional<List<Round>> played = play(server, quick);
            if (played.isEmpty()) {
                System.err.println("wrk is not installed; on Debian: apt-get install wrk");
                System.exit(2);
            }
            for (Round round : played.get()) {
                System.out.printf(
                        "%-7s sluice %8.0f/s p99 %5.2f ms   own %8.0f/s p99 %5.2f ms   throughput %.3f  p99 %+.2f ms%n",
                        server, round.sluice.perSecond, round.sluice.p99Millis, round.own.perSecond, round.own.p99Millis,
                        round.throughput(), round.laterMillis());
            }
        }
    }

    /** The rounds with one kind of server; empty if {@code wrk} is not installed on this machine. */
    public static Optional<List<Round>> play(Kind server, boolean quick) throws IOException, InterruptedException {
        if (!hasWrk()) {
            return Optional.empty();
        }
        try (Running sluice = new Running(server, Limiter.SLUICE); Running own = new Running(server, Limiter.OWN)) {
            sluice.load(WARM_UP_SECONDS);
            own.load(WARM_UP_SECONDS);
            List<Round> rounds = new ArrayList<>();
            for (int i = 0; i < (quick ? ROUNDS_IF_QUICK : ROUNDS); i++) {
                Load ours = i % 2 == 0 ? sluice.load(SECONDS) : null;
                Load theirs = own.load(SECONDS);
                rounds.add(new Round(ours == null ? sluice.load(SECONDS) : ours, theirs));
            }
            return Optional.of(rounds);
        }
    }

    private static boolean hasWrk() throws InterruptedException {
        try {
            Process wrk = new ProcessBuilder("wrk", "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            wrk.waitFor();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** A server running in its own JVM. */
    private static final class Running implements AutoCloseable {

        private final Process process;
        private final int port;
        private final Limiter limiter;

        private Running(Kind server, Limiter limiter) throws IOException {
            this.limiter = limiter;
            process = AllBenchmarks.fork(LimitedServer.class, server.name(), limiter.name())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
            String line = said.readLine();
            Matcher found = PORT.matcher(line == null ? "" : line);
            if (!found.matches()) {
                process.destroy();
                throw new IOException(server + " did not start: " + line);
            }
            port = Integer.parseInt(found.group(1));
        }

        /**
         * Puts the server under load. Checks that our filter has counted every call, because its speed would otherwise
         * be meaningless.
         */
        private Load load(int seconds) throws IOException, InterruptedException {
            long before = remaining();
            String said = wrk(seconds);
            Matcher calls = matched(CALLS, said);
            long counted = before - remaining() - 1;
            if (limiter == Limiter.SLUICE && counted < Long.parseLong(calls.group(1))) {
                throw new IOException("of " + calls.group() + " our filter counted " + counted);
            }
            Matcher p99 = matched(P99, said);
            double unit = p99.group(2).equals("us") ? 0.001 : p99.group(2).equals("ms") ? 1 : 1000;
            return new Load(
                    Double.parseDouble(matched(THROUGHPUT, said).group(1)),
                    unit * Double.parseDouble(p99.group(1)));
        }

        private static Matcher matched(Pattern pattern, String said) throws IOException {
            Matcher found = pattern.matcher(said);
            if (!found.find()) {
                throw new IOException("wrk reports: " + said);
            }
            return found;
        }

        /**
         * The number of remaining calls as reported by our filter; 0 for the server's own filter, because not every
         * such filter reports it.
         */
        private long remaining() throws IOException, InterruptedException {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/hello")).build();
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding())
                    .headers()
                    .firstValueAsLong("x-ratelimit-remaining")
                    .orElse(0);
        }

        private String wrk(int seconds) throws IOException, InterruptedException {
            Process wrk = new ProcessBuilder(
                            "wrk", "-t1", "-c8", "-d" + seconds + "s", "--latency", "http://127.0.0.1:" + port + "/hello")
                    .redirectErrorStream(true)
                    .start();
            String said;
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(wrk.getInputStream(), StandardCharsets.UTF_8))) {
                said = String.join("\n", reader.lines().toList());
            }
            if (wrk.waitFor() != 0 || FAILED.matcher(said).find()) {
                throw new IOException("wrk reports: " + said);
            }
            return said;
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            process.destroy();
        }
    }
}
