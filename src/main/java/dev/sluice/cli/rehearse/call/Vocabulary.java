package dev.sluice.cli.rehearse.call;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The names that values of calls have, in all formats of some logs. Safe for any threads. */
public final class Vocabulary {

    private final List<Extras> all = new CopyOnWriteArrayList<>();

    public Vocabulary() {}

    /** Takes these in; their number. */
    int add(Extras extras) {
        all.add(extras);
        return all.size() - 1;
    }

    Extras get(int number) {
        return all.get(number);
    }
}
