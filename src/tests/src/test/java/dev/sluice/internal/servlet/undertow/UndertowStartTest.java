package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.StartContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
@Tag("server")
class UndertowStartTest extends StartContract {

    UndertowStartTest() {
        super(UndertowServer::start);
    }

    @Test
    @Override
    @Disabled("Undertow destroys no filter of an application whose start has failed")
    public void closesTheLimiterThatItHasOpenedIfAnotherFilterFails(Path directory) {}
}
