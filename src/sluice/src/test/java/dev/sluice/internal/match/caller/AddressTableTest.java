package dev.sluice.internal.match.caller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTableTest {

    private static AddressTable<String> table(String... networks) {
        Map<AddressRange, String> values = new LinkedHashMap<>();
        for (String network : networks) {
            values.put(AddressRange.parse(network), network);
        }
        return Objects.requireNonNull(AddressTable.of(values));
    }

    private static List<String> found(AddressTable<String> table, String key) {
        List<String> found = new ArrayList<>();
        table.find(key, found::add);
        assertThat(table.contains(key)).isEqualTo(!found.isEmpty());
        return found;
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 10.1.2.0/24 10.1.0.0/16 10.0.0.0/8 0.0.0.0/0",
        "::ffff:10.1.2.3, 10.1.2.0/24 10.1.0.0/16 10.0.0.0/8 0.0.0.0/0",
        "10.1.3.1, 10.1.0.0/16 10.0.0.0/8 0.0.0.0/0",
        "10.200.0.1, 10.0.0.0/8 0.0.0.0/0",
        "192.0.2.7, 192.0.2.7 0.0.0.0/0",
        "192.0.2.8, 0.0.0.0/0",
        "255.255.255.255, 0.0.0.0/0",
        "0.0.0.0, 0.0.0.0/0",
        "2001:db8:7::/64, 2001:db8::/32 ::/0",
        "2001:db9::1, ::/0",
        "ffff::1, ::/0"
    })
    void findsAllNetworksOfAnAddressTheNarrowestFirst(String key, String networks) {
        AddressTable<String> table =
                table("10.0.0.0/8", "::/0", "10.1.2.0/24", "192.0.2.7", "0.0.0.0/0", "2001:db8::/32", "10.1.0.0/16");
        assertThat(found(table, key)).containsExactly(networks.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "behind 10.1.1.1", "10.0.0", "unix:", "10.0.0.1.example", "/8"})
    void findsNothingForWhatIsNoAddress(String key) {
        assertThat(found(table("0.0.0.0/0", "::/0"), key)).isEmpty();
    }

    @Test
    void isNoneWithoutNetworks() {
        assertThat(AddressTable.of(Map.of())).isNull();
    }

    @Test
    void findsWhatEachNetworkWouldFindByItself() {
        for (int seed = 0; seed < 300; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            Map<AddressRange, AddressRange> networks = new LinkedHashMap<>();
            for (int i = random.nextInt(1, 40); i > 0; i--) {
                IpAddress address = address(random);
                int bits = random.nextInt(address.isV4() ? 96 : 0, 129);
                IpAddress network = address.network(bits);
                if (network.isV4() == address.isV4()) {
                    networks.put(new AddressRange(network, bits), new AddressRange(network, bits));
                }
            }
            AddressTable<AddressRange> table = AddressTable.of(networks);
            for (int i = 0; table != null && i < 50; i++) {
                IpAddress address = address(random);
                List<AddressRange> expected = networks.keySet().stream()
                        .filter(network -> network.contains(address.high(), address.low()))
                        .toList();
                List<AddressRange> found = new ArrayList<>();
                table.find(address.toString(), found::add);
                assertThat(found).as("seed %d, %s", seed, address).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    /** Few bits differ, so that networks nest and addresses hit them. */
    private static IpAddress address(RandomGenerator random) {
        return random.nextBoolean()
                ? IpAddress.ofV4((0xfff00000L & random.nextLong()) | random.nextInt(8))
                : new IpAddress(
                        0x2001_0db8_0000_0000L | (random.nextLong() & 0xc000_0000_0000_00ffL),
                        random.nextInt(4) | ((long) random.nextInt(4) << 62));
    }
}
