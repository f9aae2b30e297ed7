package dev.sluice.benchmarks.trouble;

import dev.sluice.benchmarks.trouble.Ledger.Account;
import dev.sluice.benchmarks.trouble.Ledger.Call;
import dev.sluice.benchmarks.trouble.Ledger.Caller;
import dev.sluice.benchmarks.trouble.Load.Demand;
import dev.sluice.benchmarks.trouble.World.Kill;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** One scene, played and judged. */
final class Play {

    private static final double SECONDS_BEFORE = 2;
    private static final double SECONDS_AFTER = 3;

    /** The longest time until counts agree, and until new callers are served exactly. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Permits of a silent instance are free after five intervals, and others learn it one later. */
    private static final long LEASE_NANOS = 6 * Excuse.INTERVAL_NANOS;

    private final World world;
    private final Scene scene;
    private final long seed;
    private final Ledger ledger = new Ledger();
    private final Map<Promise, Finding> findings = new EnumMap<>(Promise.class);
    private long began;
    private long ended;

    private Play(World world, Scene scene, long seed) {
        this.world = world;
        this.scene = scene;
        this.seed = seed;
    }

    /** Whether a promise was held, and what was measured. */
    record Finding(boolean held, String measured) {}

    /** What was found of each promise, and by how many calls. */
    record Outcome(Scene scene, long calls, Map<Promise, Finding> findings) {}

    static Outcome of(World world, Scene scene, long seed) {
        return new Play(world, scene, seed).play();
    }

    /** Lets all processes load and compile what a call needs. */
    static void warmUp(World world, long seed) {
        List<Demand> demands = IntStream.range(0, 30)
                .mapToObj(i -> new Demand(new Caller("warm-up-" + i, Limit.QUICK), 10))
                .toList();
        try (Load load = Load.start(world, new Ledger(), demands, seed)) {
            world.seconds(4);
        }
    }

    private Outcome play() {
        world.kills().clear();
        try (Load load = Load.start(world, ledger, demands(), seed)) {
            world.seconds(SECONDS_BEFORE);
            began = System.nanoTime();
            scene.trouble(world);
            ended = System.nanoTime();
            world.seconds(SECONDS_AFTER);
        }
        Collection<Account> accounts = ledger.accounts();
        findings.put(Promise.COUNTED, counted(accounts));
        findings.put(Promise.RECOVERED, recovered());
        findings.put(Promise.ANSWERED, answered());
        findings.put(Promise.WITHIN, within(accounts));
        long early = accounts.stream().mapToLong(account -> account.refusedEarly(this::isInexcusable)).sum();
        findings.put(Promise.NOT_EARLY, new Finding(early == 0, early + " calls"));
        findings.put(Promise.EXACT, exact(accounts));
        return new Outcome(scene, ledger.calls().count(), findings);
    }

    /** Some callers never reach their limit, some do so before the trouble, most during it or after it. */
    private List<Demand> demands() {
        List<Demand> demands = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            demands.add(new Demand(caller(Limit.PAGE, i), 1 + 2 * i));
        }
        for (int i = 0; i < 3; i++) {
            demands.add(new Demand(caller(Limit.BULK, i), 15 + 20 * i));
        }
        demands.add(new Demand(caller(Limit.QUICK, 0), 20));
        return demands;
    }

    private Caller caller(Limit limit, int number) {
        return new Caller(scene + "-" + limit + "-" + number, limit);
    }

    private Finding answered() {
        long odd = ledger.calls()
                .filter(call -> !call.passed() && !call.refused() && !wasKilled(call))
                .count();
        return new Finding(odd == 0, odd == 0 ? "all" : odd + " were not");
    }

    private boolean wasKilled(Call call) {
        return call.status() == Ledger.NO_ANSWER
                && world.kills().stream()
                        .anyMatch(kill -> kill.instance() == call.instance() && call.sentNanos() <= ended);
    }

    private Finding within(Collection<Account> accounts) {
        long over = accounts.stream().mapToLong(Account::over).max().orElse(0);
        boolean held = accounts.stream().allMatch(account -> account.over() <= conceded(account));
        long most = accounts.stream().mapToLong(this::conceded).max().orElse(0);
        return new Finding(held, over + " of " + most);
    }

    private long conceded(Account account) {
        return scene.excuses().stream()
                .mapToLong(excuse -> excuse.over(account, world.kills()))
                .sum();
    }

    private boolean isInexcusable(Call refusal) {
        return !scene.excuses().contains(Excuse.SILENT)
                || refusal.answeredNanos() < began
                || refusal.sentNanos() > ended + LEASE_NANOS;
    }

    private static Finding exact(Collection<Account> accounts) {
        long over = accounts.stream().mapToLong(Account::over).sum();
        long early = accounts.stream().mapToLong(account -> account.refusedEarly(any -> true)).sum();
        return new Finding(over + early == 0, over + " over, " + early + " early");
    }

    /** Waits until the store's totals are what was admitted. */
    private Finding counted(Collection<Account> accounts) {
        long from = System.nanoTime();
        long wrong = miscounted(accounts);
        while (wrong > 0 && System.nanoTime() - from < PATIENCE_NANOS) {
            world.seconds(0.1);
            wrong = miscounted(accounts);
        }
        return new Finding(wrong == 0, wrong == 0 ? "all" : wrong + " callers wrong");
    }

    private long miscounted(Collection<Account> accounts) {
        Map<String, Long> totals = world.totals();
        return accounts.stream()
                .filter(account -> account.caller().limit().outlastsRun())
                .filter(account -> {
                    long total = totals.getOrDefault(account.caller().name(), 0L);
                    long lost = scene.excuses().contains(Excuse.KILLED)
                            ? Excuse.KILLED.over(account, world.kills())
                            : 0;
                    return total < account.passed() - lost || total > account.passed() + account.unanswered();
                })
                .count();
    }

    /** New callers call, again and again, until all goes well. */
    private Finding recovered() {
        for (int attempt = 0; ; attempt++) {
            long from = System.nanoTime();
            String last = probe(attempt);
            if (last.isEmpty()) {
                return new Finding(true, "%.0f s".formatted((from - ended) / 1e9));
            }
            if (System.nanoTime() - ended > PATIENCE_NANOS + TimeUnit.SECONDS.toNanos(10)) {
                return new Finding(false, last);
            }
        }
    }

    /** What is wrong. */
    private String probe(int attempt) {
        Ledger probes = new Ledger();
        List<Demand> demands = IntStream.range(0, 3)
                .mapToObj(i -> new Demand(new Caller(scene + "-new-" + attempt + "-" + i, Limit.PAGE), 100))
                .toList();
        try (Load load = Load.start(world, probes, demands, seed + attempt)) {
            world.seconds(1);
        }
        Collection<Account> accounts = probes.accounts();
        Finding exact = exact(accounts);
        if (!exact.held()) {
            return exact.measured();
        }
        world.seconds(1.5);
        long wrong = miscounted(accounts);
        return wrong == 0 ? "" : wrong + " miscounted";
    }
}
