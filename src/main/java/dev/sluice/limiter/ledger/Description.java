package dev.sluice.limiter.ledger;

import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.account.Due;
import dev.sluice.limiter.account.Knowledge;
import dev.sluice.limiter.account.Moment;
import dev.sluice.limiter.account.Outstanding;
import dev.sluice.limiter.account.Totals;
import dev.sluice.limits.LimiterDiagnostics;
import java.util.Locale;

/** Describes an entry for operators. Changes nothing. */
final class Description {

    private Description() {}

    static LimiterDiagnostics.Account of(Entry entry, Moment now) {
        Account account = entry.account();
        Knowledge known = account.known();
        Totals totals = entry.totals();
        Outstanding made = account.outstanding();
        Due due = account.due();
        boolean isWaitedFor = totals.isWaitedFor();
        return new LimiterDiagnostics.Account(
                entry.key,
                words(account.stage()),
                words(entry.pool.snapshot.state()),
                totals.used(),
                totals.used() - account.books().reported(),
                Math.max(0, totals.inHand() - account.books().ungranted()),
                Math.min(totals.inHand(), account.books().ungranted()),
                known.usage().left(now.millis()),
                known.elsewhere(),
                account.isUsedUp(),
                isWaitedFor ? entry.pool.waiting.needed() : 0,
                isWaitedFor ? Math.max(0, now.nanos() - account.recall().sinceNanos()) / 1_000_000 : 0,
                account.recall().isRecalled(),
                made == null ? "" : made.why().words(),
                due == null ? "" : due.why().words(),
                due == null ? 0 : (due.nanos() - now.nanos()) / 1_000_000);
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
