package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.FreeSlotsContract;
import dev.sluice.internal.store.redis.server.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("store")
@Tag("server")
class TomcatFreeSlotsTest extends FreeSlotsContract {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    TomcatFreeSlotsTest() {
        super(TomcatServer::start);
    }

    @Test
    void comeBackInRedis() throws Exception {
        comeBackIn(redis.patientUri());
    }
}
