package example;

import dev.sluice.Charge;

/** A stream was stopped, because nothing remained of a budget. */
class BudgetUsedUpException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BudgetUsedUpException(Charge latest) {
        super("The budget " + latest.endpoint().id() + " of " + latest.tier().name() + " is used up");
    }
}
