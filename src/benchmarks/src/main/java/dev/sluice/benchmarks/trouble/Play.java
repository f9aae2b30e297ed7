package dev.sluice.benchmarks.trouble;

import dev.sluice.benchmarks.trouble.CallLedger.Account;
import dev.sluice.benchmarks.trouble.CallLedger.Call;
import dev.sluice.benchmarks.trouble.CallLedger.Caller;
import dev.sluice.benchmarks.trouble.TroubleLoad.Demand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** Plays one scene and checks the promises that apply to it. */
final class Play {

    private static final double SECONDS_BEFORE = 2;

    /**
     * The maximum time until new callers get exactly their limit, and also the maximum time from then until earlier
     * counts are correct.
     */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

    /**
     * The time until other instances can use an unresponsive instance's permits. The permits become free after five
     * intervals, and other instances detect this one interval later.
     */
    private static final long LEASE_NANOS = 6 * Excuse.INTERVAL_NANOS;

    private final World world;
    private final TroubleScene scene;
    private final long seed;
    private final CallLedger ledger = new CallLedger();
    private long began;
    private long ended;
    /** The time from which new callers got exactly their limit. */
    private long wellAgain;

    private Play(World world, TroubleScene scene, long seed) {
        this.world = world;
        this.scene = scene;
        this.seed = seed;
    }

    /**
     * The result of checking one promise.
     *
     * @param offenders the calls or callers for which the promise was broken
     */
    record Finding(String measured, List<String> offenders) {

        boolean held() {
            return offenders.isEmpty();
        }
    }

    /**
     * The result for each promise in a scene, with the number of calls.
     *
     * @param stallMillis the longest period during which this process was starved of CPU. The instances might have been
     *     starved at the same time
     */
    record PlayedScene(TroubleScene scene, long calls, long stallMillis, Map<Promise, Finding> findings) {}

    static PlayedScene of(World world, TroubleScene scene, long seed) {
        return new Play(world, scene, seed).play();
    }

    /** Makes calls for a few seconds, so that all processes load and compile the code that they need. */
    static void warmUp(World world, long seed) {
        List<Demand> demands = IntStream.range(0, 30)
                .mapToObj(i -> new Demand(new Caller("warm-up-" + i, TroubleLimit.QUICK), 10))
                .toList();
        TroubleLoad.during(() -> world.seconds(4), world, new CallLedger(), demands, seed);
    }

    private PlayedScene play() {
        Map<Promise, Finding> findings = new EnumMap<>(Promise.class);
        world.forgetBlows();
        long stallMillis = TroubleLoad.during(
                () -> {
                    world.seconds(SECONDS_BEFORE);
                    began = System.nanoTime();
                    scene.trouble(world);
                    ended = System.nanoTime();
                    findings.put(Promise.RECOVERED, recovered());
                },
                world,
                ledger,
                demands(),
                seed);
        Collection<Account> accounts = ledger.accounts();
        findings.put(Promise.COUNTED, counted(accounts));
        findings.put(Promise.ANSWERED, answered());
        findings.put(Promise.WITHIN, within(accounts));
        findings.put(Promise.NOT_EARLY, notEarly(accounts));
        findings.put(Promise.EXACT, exact(accounts));
        return new PlayedScene(scene, ledger.calls().count(), stallMillis, findings);
    }

    /**
     * The demands of the callers. Some callers never reach their limit, some reach it before the failure, and most of
     * them reach it during or after the failure.
     */
    private List<Demand> demands() {
        List<Demand> demands = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            demands.add(new Demand(caller(TroubleLimit.PAGE, i), 1 + 2 * i));
        }
        for (int i = 0; i < 3; i++) {
            demands.add(new Demand(caller(TroubleLimit.BULK, i), 15 + 20 * i));
        }
        demands.add(new Demand(caller(TroubleLimit.QUICK, 0), 20));
        return demands;
    }

    private Caller caller(TroubleLimit limit, int number) {
        return new Caller(scene + "-" + seed + "-" + limit + "-" + number, limit);
    }

    private Finding answered() {
        List<String> odd = ledger.calls()
                .filter(call -> !call.passed() && !call.refused() && !wasKilled(call))
                .map(this::told)
                .toList();
        return new Finding(odd.isEmpty() ? "all" : odd.size() + " not", odd);
    }

    private boolean wasKilled(Call call) {
        return call.status() == CallLedger.NO_ANSWER
                && world.blows().stream().anyMatch(blow -> blow.hits(call) && call.sentNanos() <= ended);
    }

    private Finding within(Collection<Account> accounts) {
        long over = accounts.stream().mapToLong(Account::over).max().orElse(0);
        long most = accounts.stream().mapToLong(this::conceded).max().orElse(0);
        return new Finding(over + " of " + most, over(accounts, this::conceded));
    }

    private static List<String> over(Collection<Account> accounts, ToLongFunction<Account> conceded) {
        return accounts.stream()
                .filter(account -> account.over() > conceded.applyAsLong(account))
                .map(account -> account.caller() + " got " + account.over() + " too many")
                .toList();
    }

    private long conceded(Account account) {
        return scene.excuses().stream()
                .mapToLong(excuse -> excuse.over(account, world.blows()))
                .sum();
    }

    private Finding notEarly(Collection<Account> accounts) {
        List<String> early = early(accounts, refusal -> !isExcused(refusal));
        return new Finding(early.size() + "", early);
    }

    private List<String> early(Collection<Account> accounts, Predicate<Call> which) {
        return accounts.stream()
                .flatMap(account -> account.refusedEarly().stream())
                .filter(which)
                .map(this::told)
                .toList();
    }

    private boolean isExcused(Call refusal) {
        return scene.excuses().stream().anyMatch(Excuse::concedesRefusals)
                && refusal.answeredNanos() >= began
                && refusal.sentNanos() <= Math.max(ended + LEASE_NANOS, wellAgain);
    }

    private Finding exact(Collection<Account> accounts) {
        long over = accounts.stream().mapToLong(Account::over).sum();
        List<String> wrong = new ArrayList<>(early(accounts, any -> true));
        String measured = over + " + " + wrong.size();
        wrong.addAll(over(accounts, any -> 0));
        return new Finding(measured, wrong);
    }

    private String told(Call call) {
        return "%s, by instance %d, %d ms after the trouble began, took %d ms: %d"
                .formatted(
                        call.caller(),
                        call.instance(),
                        TimeUnit.NANOSECONDS.toMillis(call.sentNanos() - began),
                        TimeUnit.NANOSECONDS.toMillis(call.answeredNanos() - call.sentNanos()),
                        call.status());
    }

    /** Waits until the totals in the store equal the numbers of admitted calls, up to a maximum time. */
    private Finding counted(Collection<Account> accounts) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        List<String> wrong = miscounted(accounts);
        while (!wrong.isEmpty() && System.nanoTime() < deadline) {
            world.seconds(0.2);
            wrong = miscounted(accounts);
        }
        return new Finding(wrong.isEmpty() ? "all" : wrong.size() + " wrong", wrong);
    }

    private List<String> miscounted(Collection<Account> accounts) {
        Map<String, Long> totals = world.totals();
        List<String> wrong = new ArrayList<>();
        for (Account account : accounts) {
            long total = totals.getOrDefault(account.caller().name(), 0L);
            TroubleLimit limit = account.caller().limit();
            boolean isKilled = scene.excuses().contains(Excuse.KILLED);
            long unreported = isKilled ? limit.slackOfOne() : 0;
            long mayHaveHeld = account.unanswered() + (isKilled ? limit.mostHeld() : 0);
            if (limit.outlastsRun()
                    && (total < account.passed() - unreported || total > account.passed() + mayHaveHeld)) {
                wrong.add("%s: the store has %d, passed %d, unanswered %d, perhaps unreported %d"
                        .formatted(account.caller(), total, account.passed(), account.unanswered(), unreported));
            }
        }
        return wrong;
    }

    /**
     * Makes calls for new callers again and again, until these get exactly their limit or the maximum time has passed.
     */
    private Finding recovered() {
        for (int attempt = 0; ; attempt++) {
            long from = System.nanoTime();
            List<String> wrong = probe(attempt);
            if (wrong.isEmpty() || System.nanoTime() - ended > PATIENCE_NANOS) {
                wellAgain = from;
                return new Finding("%.1f s".formatted((from - ended) / 1e9), wrong);
            }
        }
    }

    /**
     * Within a second, makes more calls for each of three new callers than their limit allows. Returns the problems
     * that were found.
     */
    private List<String> probe(int attempt) {
        CallLedger probes = new CallLedger();
        List<Demand> demands = IntStream.range(0, 3)
                .mapToObj(i -> new Demand(caller(TroubleLimit.PAGE, 1000 + 10 * attempt + i), 150))
                .toList();
        TroubleLoad.during(() -> world.seconds(0.6), world, probes, demands, seed + attempt);
        world.seconds(1.5);
        List<String> wrong = miscounted(probes.accounts());
        for (Account account : probes.accounts()) {
            if (account.passed() != TroubleLimit.PAGE.threshold()) {
                wrong.add(account.caller() + " got " + account.passed() + " of " + TroubleLimit.PAGE.threshold());
            }
        }
        wrong.addAll(early(probes.accounts(), any -> true));
        return wrong;
    }
}
