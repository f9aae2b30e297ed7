package dev.sluice.internal.limiter.account;

import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.account.Outstanding.Why;

/** Puts accounts into situations that would take many events to reach. */
public final class Situations {

    private Situations() {}

    /** The account, with a statement that has become due. */
    public static Account owing(Account account, Why why, Moment now) {
        return account.owes(why, now);
    }

    /** The account in another stage, whatever its events so far. */
    public static Account in(Account account, Stage stage) {
        return new Account(
                account.subjects(),
                account.terms(),
                stage,
                account.known(),
                account.books(),
                account.waiting(),
                account.pace(),
                account.outstanding(),
                account.owed(),
                account.answeredNanos());
    }
}
