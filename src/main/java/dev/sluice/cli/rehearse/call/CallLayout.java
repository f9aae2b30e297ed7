package dev.sluice.cli.rehearse.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Where the bytes of a call have what: numbers at fixed places, then the texts whose lengths stand there, and then the
 * values that the format names, each behind its length. A length of -1 says that there is none.
 */
final class CallLayout {

    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Of all bytes of the call. */
    static final int LENGTH = 0;

    static final int START = 4;
    static final int DURATION = 12;
    static final int STATUS = 20;
    static final int METHOD_LENGTH = 24;
    static final int PATH_LENGTH = 28;
    static final int QUERY_LENGTH = 32;
    static final int IP_LENGTH = 36;
    static final int USER_LENGTH = 40;
    /** Which names the values have. */
    static final int EXTRAS = 44;
    /** How many values there are. */
    static final int VALUES = 48;

    static final int TEXTS = 52;

    private CallLayout() {}
}
