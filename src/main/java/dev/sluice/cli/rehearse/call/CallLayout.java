package dev.sluice.cli.rehearse.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The layout of a call in bytes: numbers at fixed offsets, then the texts whose lengths are among these numbers, then
 * the values of extra fields, each behind its length. A length of -1 stands for a missing text.
 */
final class CallLayout {

    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The number of bytes of the call. */
    static final int LENGTH = 0;

    static final int START = 4;
    static final int DURATION = 12;
    static final int STATUS = 20;
    static final int METHOD_LENGTH = 24;
    static final int PATH_LENGTH = 28;
    static final int QUERY_LENGTH = 32;
    static final int IP_LENGTH = 36;
    static final int USER_LENGTH = 40;
    /** The number of its {@link ExtraFields} in {@link FieldNames}. */
    static final int EXTRAS = 44;
    /** The number of values of extra fields. */
    static final int VALUES = 48;

    static final int TEXTS = 52;

    private CallLayout() {}
}
