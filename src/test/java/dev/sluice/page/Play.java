package dev.sluice.page;

import dev.sluice.TestCall;
import dev.sluice.limits.ClientOverrideSource.Overrides;

/** What happens in a {@link Scene}: the limits of a service, and who calls it. */
interface Play {

    /** The name of the instance. */
    String server();

    /** The file of limits. */
    String limits();

    /** The limits that were set outside the file. */
    Overrides setOutside();

    /** Makes the calls of half a second, so many seconds before now. */
    void step(double ago, Calls calls);

    /** Makes calls. */
    interface Calls {

        /** Makes so many, or about as many, of such calls. */
        void make(double times, TestCall call);
    }
}
