package dev.sluice.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.LoginTicket;
import dev.sluice.TestCall;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Redis holds no part of the names that logins try, in whichever key, value or report. */
@Tag("store")
class LoginNamesInRedisTest {

    private static final String NAME = "Zebulon.Quackenbush@mail.example.org";

    /** All that Redis holds, as text: keys, and what each holds. */
    private static final String EVERYTHING = """
        local all = {}
        local function add(found)
          if type(found) == 'table' then
            for _, one in ipairs(found) do add(one) end
          elseif found then
            all[#all + 1] = tostring(found)
          end
        end
        for _, key in ipairs(redis.call('KEYS', '*')) do
          add(key)
          local kind = redis.call('TYPE', key).ok
          if kind == 'string' then add(redis.call('GET', key))
          elseif kind == 'hash' then add(redis.call('HGETALL', key))
          elseif kind == 'set' then add(redis.call('SMEMBERS', key))
          elseif kind == 'zset' then add(redis.call('ZRANGE', key, 0, -1, 'WITHSCORES'))
          elseif kind == 'list' then add(redis.call('LRANGE', key, 0, -1))
          else error('a key of the kind ' .. kind) end
        end
        return table.concat(all, '\\n')
        """;

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static String content() {
        return String.valueOf(redis.call("EVAL", EVERYTHING, "0")).toLowerCase(Locale.ROOT);
    }

    private static boolean isAdmitted(Sluice sluice, String name) {
        LoginTicket call = (LoginTicket) Objects.requireNonNull(
                sluice.decide(TestCall.get("/login").of("a-visible-tenant")).ticket());
        LoginTicket.Attempt attempt = call.beginLogin(name);
        boolean admitted = attempt.refusal() == null;
        attempt.ended(true);
        call.ended(401);
        return admitted;
    }

    @Test
    void standNowhere() {
        try (Sluice sluice = Sluice.builder()
                .config(new GivenFile("""
                    store: { uri: "%s" }
                    limits: { refresh: 100ms }
                    sync: { every: 100ms }
                    secrets: { key: "a key of sixteen characters" }
                    subjects: { tenant: [ "header:X-Org-Id" ] }
                    endpoints:
                      - { id: account, pathPattern: /login, per: [ login, tenant ], count: { outcome: login-failure },
                          tiers: [ { period: 360d, threshold: 3 }, { algorithm: sliding-log, period: 1d, threshold: 9 } ] }
                      - { id: all, pathPattern: /**, tiers: [ { period: 360d, threshold: 1000 } ] }
                    """.formatted(redis.patientUri())))
                .open()) {
            for (int i = 0; i < 3; i++) {
                assertThat(isAdmitted(sluice, NAME)).isTrue();
            }
            for (int i = 0; i < 3; i++) {
                assertThat(isAdmitted(sluice, ' ' + NAME.toUpperCase(Locale.ROOT)))
                        .isFalse();
            }
            Eventually.await(
                    "a counter of the account",
                    () -> content().contains("login=%23") || content().contains(":account:"));
            Eventually.await("the report of who was refused", () -> reports().contains("account"));
            assertThat(content())
                    .contains("a-visible-tenant", ":account:")
                    .doesNotContain("zebulon", "quackenbush", "example.org");
        }
    }

    /** What instances report: their limits, and whom they refused. */
    private static String reports() {
        return content().lines().filter(line -> line.contains("login")).toList().toString();
    }
}
