package dev.sluice.servlet.undertow;

import dev.sluice.servlet.contract.GoneCallersContract;

class UndertowGoneCallersTest extends GoneCallersContract {

    UndertowGoneCallersTest() {
        super(UndertowServer::start);
    }

    /** Undertow does not always tell a {@code WriteListener} over HTTP/2. */
    @Override
    protected long listenerTimeOutMillis() {
        return 1_000;
    }
}
