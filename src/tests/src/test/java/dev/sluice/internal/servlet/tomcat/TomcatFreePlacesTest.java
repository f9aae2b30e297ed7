package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.FreePlacesContract;
import dev.sluice.internal.store.redis.server.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("store")
@Tag("server")
class TomcatFreePlacesTest extends FreePlacesContract {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    TomcatFreePlacesTest() {
        super(TomcatServer::start);
    }

    @Test
    void comeBackInRedis() throws Exception {
        comeBackIn(redis.patientUri());
    }
}
