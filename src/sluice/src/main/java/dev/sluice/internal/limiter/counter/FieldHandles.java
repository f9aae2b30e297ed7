package dev.sluice.internal.limiter.counter;

import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.VarHandle;

/** Creates variable handles for fields that several threads change atomically. */
public final class FieldHandles {

    private FieldHandles() {}

    /**
     * Returns the handle of a field. The field belongs to the class that performs the look-up.
     *
     * @param type the erased type of the field
     */
    public static VarHandle of(Lookup owner, String field, Class<?> type) {
        try {
            return owner.findVarHandle(owner.lookupClass(), field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
