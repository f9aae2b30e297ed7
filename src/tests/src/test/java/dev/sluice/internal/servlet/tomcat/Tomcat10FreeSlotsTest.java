package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.FreeSlotsContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class Tomcat10FreeSlotsTest extends FreeSlotsContract {

    Tomcat10FreeSlotsTest() {
        super(OlderTomcat::start);
    }
}
