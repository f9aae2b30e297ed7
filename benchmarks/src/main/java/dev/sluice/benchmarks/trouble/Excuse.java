package dev.sluice.benchmarks.trouble;

import dev.sluice.benchmarks.trouble.Ledger.Account;
import dev.sluice.benchmarks.trouble.World.Blow;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What {@code docs/counting-together.md} concedes while something is wrong. */
enum Excuse {
    /** The store is away, and {@code onFailure} is {@code local}: each instance may admit up to the threshold. */
    AWAY {
        @Override
        long over(Account account, List<Blow> blows) {
            return (World.INSTANCES - 1) * account.caller().limit().threshold();
        }
    },
    /** An instance is silent: it may still use what it held, at most half of a limit, when its lease has ended. */
    SILENT {
        @Override
        long over(Account account, List<Blow> blows) {
            return account.caller().limit().threshold() / 2;
        }
    },
    /** An instance is killed: what it admitted since its last exchange is lost. */
    KILLED {
        @Override
        long over(Account account, List<Blow> blows) {
            return account.count(call -> call.passed()
                    && blows.stream().anyMatch(blow -> blow.hits(call) && isNear(blow, call.answeredNanos())));
        }
    },
    /** The store has lost its data: until instances have told it again, others may be given what is used. */
    FORGOTTEN {
        @Override
        long over(Account account, List<Blow> blows) {
            return account.count(
                    call -> call.passed() && blows.stream().anyMatch(blow -> isNear(blow, call.answeredNanos())));
        }

        @Override
        boolean concedesRefusals() {
            return false;
        }
    },
    /** The limits are raised meanwhile. */
    RAISED {
        @Override
        long over(Account account, List<Blow> blows) {
            return World.RAISE;
        }

        @Override
        boolean concedesRefusals() {
            return false;
        }
    };

    /** That of {@code sync.every}, by default. */
    static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How many calls may pass beyond limit and slack. */
    abstract long over(Account account, List<Blow> blows);

    /** Whether calls may be refused early until the leases of silent instances have ended. */
    boolean concedesRefusals() {
        return true;
    }

    /** Within an interval, if the machine is busy two. */
    private static boolean isNear(Blow blow, long nanos) {
        return Math.abs(nanos - blow.nanos()) < 2 * INTERVAL_NANOS;
    }
}
