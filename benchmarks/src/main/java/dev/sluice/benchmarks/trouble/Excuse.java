package dev.sluice.benchmarks.trouble;

import dev.sluice.benchmarks.trouble.Ledger.Account;
import dev.sluice.benchmarks.trouble.World.Kill;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What the documentation concedes while something is wrong: see {@code docs/counting-together.md}. */
enum Excuse {
    /** The store is away, and {@code onFailure} is {@code local}: each instance may admit up to the threshold. */
    AWAY {
        @Override
        long over(Account account, List<Kill> kills) {
            return (World.INSTANCES - 1) * account.caller().limit().threshold();
        }
    },
    /**
     * An instance is silent: others are refused until its lease ends, and it may still use what it held afterwards, which
     * is at most half of a limit.
     */
    SILENT {
        @Override
        long over(Account account, List<Kill> kills) {
            return account.caller().limit().threshold() / 2;
        }
    },
    /** An instance is killed: what it admitted since its last exchange is lost. */
    KILLED {
        @Override
        long over(Account account, List<Kill> kills) {
            return account.count(call -> call.passed()
                    && kills.stream()
                            .anyMatch(kill -> call.instance() == kill.instance()
                                    && call.answeredNanos() <= kill.nanos() + INTERVAL_NANOS // it died a moment later
                                    && call.answeredNanos() > kill.nanos() - INTERVAL_NANOS));
        }
    },
    /** The limits are raised meanwhile. */
    RAISED {
        @Override
        long over(Account account, List<Kill> kills) {
            return World.RAISE;
        }
    };

    /** That of {@code sync.every}, by default. */
    static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How many calls may pass beyond limit and slack. */
    abstract long over(Account account, List<Kill> kills);
}
