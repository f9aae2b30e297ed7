package dev.sluice.cli.rehearse.call;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The names that values of calls have, in all formats of some logs. Safe for any threads. */
public final class FieldNames {

    private final List<ExtraFields> all = new CopyOnWriteArrayList<>();

    public FieldNames() {}

    /** Takes these in; their number. */
    int add(ExtraFields extras) {
        all.add(extras);
        return all.size() - 1;
    }

    ExtraFields get(int number) {
        return all.get(number);
    }
}
