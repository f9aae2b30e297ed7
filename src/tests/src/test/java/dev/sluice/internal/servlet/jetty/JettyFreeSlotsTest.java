package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.FreeSlotsContract;
import dev.sluice.internal.store.redis.server.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("thorough")
@Tag("store")
@Tag("server")
class JettyFreeSlotsTest extends FreeSlotsContract {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    JettyFreeSlotsTest() {
        super(JettyServer::start);
    }

    @Test
    void comeBackInRedis() throws Exception {
        comeBackIn(redis.patientUri());
    }
}
