package dev.sluice.internal.store.mongo.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.internal.store.CounterStores;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What store uris of MongoDB say, and what is wrong with others. */
class MongoAddressTest {

    private static MongoAddress parse(String uri) {
        return Objects.requireNonNull(MongoAddressParser.parse(uri));
    }

    @Test
    void readsWhatStandsThere() {
        MongoAddress address =
                parse("mongodb://ann:p%40ss@db1:27018,[::1]:27017/counts?replicaSet=rs0&timeoutMS=300&w=2&tls=true");
        assertThat(address.hosts()).containsExactly("db1:27018", "[::1]:27017");
        assertThat(address.database()).isEqualTo("counts");
        assertThat(address.timeout()).isEqualTo(Duration.ofMillis(300));
        assertThat(address.writeConcern()).isEqualTo("2");
        assertThat(address.isSrv()).isFalse();
        assertThat(address.driverUri())
                .isEqualTo("mongodb://ann:p%40ss@db1:27018,[::1]:27017/counts?replicaSet=rs0&w=2&tls=true");
        assertThat(address).hasToString("mongodb://db1:27018,[::1]:27017/counts");
    }

    @Test
    void hasDefaults() {
        MongoAddress address = parse("MongoDB://localhost");
        assertThat(address.database()).isEqualTo("sluice");
        assertThat(address.timeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(address.writeConcern()).isEqualTo("majority");
        assertThat(address.driverUri()).isEqualTo("mongodb://localhost/");
        assertThat(address).hasToString("mongodb://localhost");
    }

    @Test
    void knowsHostsThatAreLookedUp() {
        MongoAddress address = parse("mongodb+srv://ann:secret@cluster.example.com/?w=majority");
        assertThat(address.isSrv()).isTrue();
        assertThat(address).hasToString("mongodb+srv://cluster.example.com");
        assertThat(CounterStores.shown("mongodb+srv://ann:secret@cluster.example.com"))
                .isEqualTo("mongodb+srv://cluster.example.com");
    }

    @Test
    void leavesOtherSchemesAlone() {
        for (String uri : List.of("redis://h", "memory:", "", "mongo", "mongodbx://h")) {
            assertThat(MongoAddressParser.parse(uri)).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mongodb:localhost                        | "//" is missing after the scheme
            mongodb://                               | the host is missing
            mongodb://a,,b                           | the host is missing
            mongodb://a:0                            | the port is not a number from 1 to 65535
            mongodb://a:70000                        | the port is not a number from 1 to 65535
            mongodb://u:hunter2                      | the port is not a number from 1 to 65535
            mongodb://u:hun@ter2/x@h                 | there is a "@" after the host; if a password contains one of / ? @, write %2F %3F %40
            mongodb://u:hunter2#@h                   | there is a "#"; if a password contains one, write %23
            mongodb://u:hunter2:x@h                  | there is a second ":" before the host; if a password contains one, write %3A
            mongodb://u:hunter2%@h                   | a "%" is not followed by two hexadecimal digits; write a percent sign itself as %25
            mongodb://:hunter2@h                     | the user is missing before the password
            mongodb://u:27/hunter2%40h               | the text after the "/" is not a database name
            mongodb://u:27/hunter2.h:27017           | the text after the "/" is not a database name
            mongodb://:hun/ter2%40h:27017            | a host name is not valid
            mongodb://u:hun/ter2                     | the port is not a number from 1 to 65535
            mongodb://u:hun?ter2=hunter2             | the port is not a number from 1 to 65535
            mongodb://u:27?hunter2                   | an option is not name=value
            mongodb://h/?w=hunter2$                  | w has a value that does not confirm writes; remove it, or write majority or 1
            mongodb://h/a b                          | the text after the "/" is not a database name
            mongodb://h/?hunter2                     | an option is not name=value
            mongodb://h/?timeoutMS=1s                | timeoutMS is not a number of milliseconds; write timeoutMS=500
            mongodb://h/?readPreference=nearest      | readPreference allows reads of stale counts, so limits could be exceeded; remove it, or write primary
            mongodb://h/?readpreference=primaryPreferred | readPreference allows reads of stale counts, so limits could be exceeded; remove it, or write primary
            mongodb://h/?readPreference=secondary    | readPreference allows reads of stale counts, so limits could be exceeded; remove it, or write primary
            mongodb://h/?readPreference=secondaryPreferred | readPreference allows reads of stale counts, so limits could be exceeded; remove it, or write primary
            mongodb+srv://h.example.com/?readPreference=secondary | readPreference allows reads of stale counts, so limits could be exceeded; remove it, or write primary
            mongodb://h/?maxStalenessSeconds=120     | maxstalenessseconds allows reads of stale counts, so limits could be exceeded; remove it
            mongodb://h/?readPreferenceTags=dc:ny    | readpreferencetags allows reads of stale counts, so limits could be exceeded; remove it
            mongodb://h/?slaveOk=true                | slaveok allows reads of stale counts, so limits could be exceeded; remove it
            mongodb://h/?replicaSet=rs0;w=0          | there is a ";" in the options; write & between options, and %3B within one
            mongodb://h/?safe=false                  | safe is an old name of w; remove it, or write w=majority
            mongodb://h/?readConcernLevel=available  | readConcernLevel has a value that does not work for counters; remove it, or write local or majority
            mongodb://h/?w=0                         | w has a value that does not confirm writes; remove it, or write majority or 1
            mongodb+srv://h.example.com:27017        | there is a port, but ports are looked up in DNS; remove it
            mongodb+srv://a.example.com,b            | 2 hosts are given, but only one is allowed; its servers are looked up in DNS
            """)
    void saysWhatIsWrong(String uri, String sentence) {
        assertThatThrownBy(() -> MongoAddressParser.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "store uri " + uri.substring(0, uri.indexOf(':')) + "://…: " + sentence + "; an example: ")
                .hasMessageNotContainingAny("hunter2", "ter2");
        assertThat(CounterStores.problemWith(uri)).contains(sentence);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://u:hunter2@h/?tls=true&ssl=false",
                "mongodb://u:hunter2@h/?authMechanism=NONE",
                "mongodb://h/?authMechanism=MONGODB-AWS&authMechanismProperties=hunter2"
            })
    void optionsThatTheDriverRefusesAreRefusedAtOnce(String uri) {
        assertThatThrownBy(() -> CounterStores.open(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("store uri mongodb://h: the driver does not understand its options")
                .hasMessageNotContaining("hunter2");
    }
}
