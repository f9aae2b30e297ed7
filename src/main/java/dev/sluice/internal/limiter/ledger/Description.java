package dev.sluice.internal.limiter.ledger;

import dev.sluice.internal.limiter.account.Account;
import dev.sluice.internal.limiter.account.Due;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.account.Outstanding;
import dev.sluice.internal.limiter.account.Totals;
import dev.sluice.limits.LimiterDiagnostics;
import java.util.Locale;

/** Describes an account for operators. */
final class Description {

    private Description() {}

    /** What is known, held and due. Changes nothing. */
    static LimiterDiagnostics.Account of(Entry entry, Moment now) {
        Account account = entry.account();
        Totals totals = entry.totals();
        Outstanding made = account.outstanding();
        Due due = account.due();
        return new LimiterDiagnostics.Account(
                entry.key(),
                words(account.stage()),
                words(entry.pool.snapshot.mode()),
                totals.used(),
                account.books().unreported(totals),
                account.books().held(totals),
                account.books().ungrantedLeft(totals),
                account.known().usage().left(now.millis()),
                account.known().usedUp().elsewhere(),
                account.known().isUsedUp(),
                totals.isWaitedFor() ? entry.pool.line().needed() : 0,
                totals.isWaitedFor()
                        ? Math.max(0, now.nanos() - account.recall().sinceNanos()) / 1_000_000
                        : 0,
                account.recall().isRecalled(),
                made == null ? "" : made.why().words(),
                due == null ? "" : due.why().words(),
                due == null ? 0 : (due.nanos() - now.nanos()) / 1_000_000);
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
