package dev.sluice.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.cli.Invocation;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.open.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Who is nearest a limit, and who is refused, is read from the store and from what instances write there. */
@Tag("store")
class TopTest {

    /** So long that no window ends during a test. */
    private static final long PERIOD = TimeUnit.DAYS.toMillis(360);

    private static final String FILE = """
        limits: { refresh: 100ms }
        sync: { timeout: 30s }
        subjects: { tenant: [ "header:X-Org-Id" ] }
        clients: [ { tenant: big, multiply: 10 } ]
        endpoints:
          - { id: a, pathPattern: /a, tiers: [ { period: 360d, threshold: 10 } ] }
          - { id: b, pathPattern: /b, tiers: [ { period: 360d, threshold: 20, algorithm: sliding-window } ] }
          - { id: trial, pathPattern: /t, mode: dry-run, tiers: [ { period: 360d, threshold: 1 } ] }
          - { id: all, pathPattern: /all, per: [], tiers: [ { period: 360d, threshold: 10, algorithm: sliding-log } ] }
        """;

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    @TempDir
    private Path directory;

    private static Invocation top(String... options) {
        List<String> all = new ArrayList<>(List.of("top", "--once"));
        all.addAll(List.of(options));
        return Invocation.onStore(redis.patientUri(), all.toArray(String[]::new));
    }

    /** Waits for an output like this. */
    private static String await(Predicate<String> isRight, String... options) {
        List<String> printed = new ArrayList<>(List.of(""));
        Eventually.await(() -> "another output than " + printed, () -> {
            printed.set(0, top(options).printed());
            return isRight.test(printed.get(0));
        });
        return printed.get(0);
    }

    private String file() throws IOException {
        return Files.writeString(directory.resolve("rate-limits.yml"), FILE).toString();
    }

    private Sluice instance() throws IOException {
        return Sluice.builder().config(file()).store(redis.patientUri()).open();
    }

    private static void call(Sluice instance, String path, String tenant, int times) {
        for (int i = 0; i < times; i++) {
            instance.decide(TestCall.get(path).of(tenant));
        }
    }

    private static List<String> callers(String out) {
        return out.lines()
                .filter(line -> line.contains(" of ") && line.contains("="))
                .map(line -> line.substring(line.lastIndexOf("tenant=")))
                .toList();
    }

    @Test
    void marksALimitThatDependsOnThePlanOfACall() throws IOException {
        String planned =
                Files.writeString(directory.resolve("planned.yml"), """
                    sync: { timeout: 30s }
                    subjects: { tenant: [ "header:X-Org-Id" ] }
                    plans: { free: {}, pro: { multiply: 10 } }
                    clients: { list: [ { tenant: fixed, plan: pro } ], planFrom: [ "header:X-Plan" ], defaultPlan: free }
                    endpoints: [ { id: a, pathPattern: /a, tiers: [ { period: 360d, threshold: 5 } ] } ]
                    """).toString();
        try (Sluice one =
                Sluice.builder().config(planned).store(redis.patientUri()).open()) {
            for (int i = 0; i < 7; i++) {
                one.decide(TestCall.get("/a").of("payer").with("X-Plan", "pro"));
            }
            call(one, "/a", "frugal", 4);
            call(one, "/a", "fixed", 6);
            String out =
                    await(printed -> callers(printed).size() == 3 && printed.contains("4 of 5?"), "--config", planned);
            assertThat(out)
                    .containsPattern("\\d+ of 50\\? .*tenant=payer")
                    .containsPattern("4 of 5\\? .*tenant=frugal")
                    .containsPattern("\\d+ of 50 .*tenant=fixed")
                    .containsOnlyOnce(
                            "  ? a, tier 360d: each call names its plan, by header:X-Plan; the limit is 5 by plan "
                                    + "free, 50 by plan pro; the table shows the smallest one that is not exceeded\n");
        }
    }

    @Test
    void showsWhoIsNearestAndWhoIsRefused() throws IOException {
        try (Sluice one = instance();
                Sluice other = instance()) {
            call(one, "/a", "acme", 9);
            call(one, "/a", "mad", 13);
            call(other, "/a", "big", 60);
            call(other, "/b", "slow", 10);
            call(one, "/t", "tried", 4);
            call(one, "/all", "any", 3);
            String out = await(text -> text.contains(" of 10 ")
                    && text.contains("2 instances, 6 counters")
                    && text.matches("(?s).*\\n +3 +0 +20\\S+Z +\\d+s ago +a +360d +tenant=mad\\n.*")
                    && text.matches("(?s).*\\n +0 +3 +20\\S+Z +\\d+s ago +trial +360d +tenant=tried\\n.*"));
            assertThat(out)
                    .containsPattern("\\n +100 +10 of 10 +0 +\\S.* a +360d +tenant=mad\\n")
                    .containsPattern("\\n +90 +9 of 10 +0 +\\S.* a +360d +tenant=acme\\n")
                    .containsPattern("\\n +60 +60 of 100 +0 +\\S.* a +360d +tenant=big\\n")
                    .containsPattern("\\n +50 +10 of 20 +0 +\\S.* b +360d-sliding-window tenant=slow\\n")
                    .containsPattern("\\n +30 +3 of 10 +0 +\\S.* all +360d-sliding-log +all callers together\\n");
            assertThat(callers(out).subList(0, 3)).contains("tenant=mad").endsWith("tenant=acme");
            assertThat(await(text -> true, "--endpoint", "b"))
                    .contains("1 counter\n")
                    .contains("slow")
                    .doesNotContain("mad");
            assertThat(await(text -> true, "--client", "mad"))
                    .contains("1 counter\n")
                    .doesNotContain("acme");
            assertThat(callers(await(text -> true, "--rows", "1"))).hasSize(1);
        }
    }

    @Test
    void changesNothingInTheStore() throws IOException {
        try (Sluice one = instance()) {
            call(one, "/a", "acme", 9);
            call(one, "/b", "acme", 9);
            call(one, "/all", "acme", 9);
            await(text -> text.contains("9 of 10"));
        }
        redis.call("DEL", "sluice:{limits}:instances");
        redis.call("CONFIG", "RESETSTAT");
        assertThat(top("--config", file()).out()).contains("9 of 10");
        assertThat(redis.commandCalls().keySet())
                .doesNotContain("incrby", "hset", "hdel", "zadd", "zrem", "pexpire", "expire", "del", "set", "publish");
    }

    private static void count(String tenant, String endpoint, long used) {
        long start = System.currentTimeMillis() / PERIOD * PERIOD;
        CounterKey key = new CounterKey(
                endpoint,
                "*",
                "360d",
                List.of(new Subject("tenant", "header:X-Org-Id", tenant)),
                start,
                start + PERIOD);
        redis.call("SET", key.text(), String.valueOf(used), "PX", "100000");
    }

    @Test
    void hostileNamesAreShownEscapedAndCut() throws IOException {
        count("\u001b[2J\u202e\n\u2028x", "a", 5);
        count("y".repeat(60) + "\ud83d\ude00".repeat(40), "a", 4);
        redis.call("ZADD", "sluice:{limits}:instances", "9999999999999", "evil");
        redis.call(
                "SET",
                "sluice:{limits}:instance:evil",
                "refusals=7+0+%251B%5B2J+10s+1000+2000+tenant+h+%25E2%2580%25AE%250A%0Agarbled%0A9+9%0A&file=none");
        String out = top("--config", file()).out();
        assertThat(out)
                .contains(
                        "tenant=\"\\u001b[2J\\u202e\\u000a\\u2028x\"\n",
                        "…\n",
                        "\\u001b[2J ",
                        "tenant=\"\\u202e\\u000a\"\n")
                .doesNotContain("\u001b", "\u202e");
        assertThat(out.lines()).allMatch(line -> line.length() <= 180);
    }

    /** A caller who writes an address into a header is not shown as one whom an address identifies. */
    @Test
    void saysWhomAnAddressIdentifiesForLackOfAName() throws IOException {
        long start = System.currentTimeMillis() / PERIOD * PERIOD;
        CounterKey byAddress = new CounterKey(
                "a", "*", "360d", List.of(new Subject("tenant", "ip", "127.0.0.1")), start, start + PERIOD);
        redis.call("SET", byAddress.text(), "9", "PX", "100000");
        count("127.0.0.1", "a", 8);
        count("127.0.0.1 (by ip)", "a", 7);
        assertThat(callers(top("--config", file()).out()))
                .containsExactly("tenant=127.0.0.1 (by ip)", "tenant=127.0.0.1", "tenant=\"127.0.0.1 (by ip)\"");
    }

    @Test
    void takesACallerAsItPrintsOne() throws IOException {
        count("acme", "a", 5);
        count("other", "a", 5);
        assertThat(callers(top("--config", file(), "--client", "tenant=acme").out()))
                .containsExactly("tenant=acme");
    }

    @Test
    void namesTheEndpointThatWasMeant() throws IOException {
        Invocation run = top("--config", file(), "--endpoint", "trail");
        assertThat(run.err()).isEqualToIgnoringNewLines("sluice: there is no endpoint trail; did you mean trial?");
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(top("--endpoint", "trail").exitCode()).isZero(); // nobody can tell
    }

    /** Each instance reports as many refusals as it can. */
    @Test
    void readsWhatThousandsOfInstancesTell() {
        String refused =
                "1 0 a 360d 1 2 tenant header:X-Org-Id ".replace(" ", "+").replace(":", "%253A");
        redis.call(
                "EVAL",
                "for i = 1, 3000 do local refusals = {} "
                        + "for n = 1, 200 do refusals[n] = ARGV[1] .. 'mad-' .. n .. '%0A' end "
                        + "redis.call('SET', 'sluice:{limits}:instance:' .. i, "
                        + "'server=s' .. i .. ' limits=none refresh=5000 refusals=' .. table.concat(refusals)) "
                        + "redis.call('ZADD', 'sluice:{limits}:instances', 9999999999999, tostring(i)) end",
                "0",
                refused);
        assertThat(top("--rows", "1").out()).contains("3000 instances").containsPattern("\\n +3000 +0 .* tenant=mad-1");
        Invocation get = Invocation.of("limits", "get", "acme", "a", "--store", redis.patientUri());
        assertThat(get.err()).contains("nothing is set");
    }

    @Test
    void saysWhatIsLeftOut() throws IOException {
        count("acme", "a", 5);
        count("acme", "gone", 5);
        assertThat(top("--config", file()).out())
                .contains("\nThe tables omit 1 counter of limits that are not in force (see --config).\n");
        assertThat(top().out()).contains("The tables omit 2 counters of limits that are not in force");
        for (int i = 0; i < 3000; i++) {
            count("t" + i, "a", 1);
        }
        assertThat(top("--config", file(), "--scan", "1ms").out())
                .contains("There was no time to read all counters, so the tables omit the others (see --scan).");
        assertThat(callers(top("--config", file(), "--rows", "3").out()))
                .hasSize(3)
                .first()
                .isEqualTo("tenant=acme");
    }

    @Test
    void goesOnUntilItIsStopped() throws Exception {
        count("acme", "a", 5);
        CompletableFuture<Invocation> ended = new CompletableFuture<>();
        String config = file();
        Thread thread = new Thread(() -> ended.complete(
                Invocation.of("top", "--store", redis.patientUri(), "--config", config, "--every", "10ms")));
        thread.start();
        long scans = 0;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (scans < 3) {
            scans = redis.commandCalls().getOrDefault("scan", 0L);
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
        thread.interrupt();
        Invocation run = ended.get(30, TimeUnit.SECONDS);
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().split("Callers nearest their limits")).hasSizeGreaterThan(2);
        assertThat(run.out()).doesNotContain("\u001b");
    }

    @Test
    void saysThatTheStoreIsUnavailableAndWhatIsWrong() throws IOException {
        Invocation unavailable = Invocation.of("top", "--once", "--store", "redis://127.0.0.1:1");
        assertThat(unavailable.exitCode()).isEqualTo(4);
        assertThat(unavailable.err())
                .startsWith("sluice: redis://127.0.0.1:1 cannot be reached")
                .hasLineCount(1);
        assertThat(top("--rows", "0").err())
                .isEqualToIgnoringNewLines(
                        "sluice: --rows 0 is out of range; write a number from 1 to 1000 (see sluice top --help)");
        assertThat(top("--every", "often").exitCode()).isEqualTo(2);
    }
}
