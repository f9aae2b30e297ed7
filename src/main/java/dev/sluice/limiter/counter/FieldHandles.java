package dev.sluice.limiter.counter;

import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.VarHandle;

/** Finds the handles of fields that threads change together. */
public final class FieldHandles {

    private FieldHandles() {}

    /**
     * The handle of a field of the class that looks it up.
     *
     * @param type of the field; what it is erased to, if it is a type variable
     */
    public static VarHandle of(Lookup owner, String field, Class<?> type) {
        try {
            return owner.findVarHandle(owner.lookupClass(), field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
