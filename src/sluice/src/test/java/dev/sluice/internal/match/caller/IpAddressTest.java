package dev.sluice.internal.match.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "::ffff:192.0.2.1, 192.0.2.1",
        "::FFFF:c000:201, 192.0.2.1",
        "0:0:0:0:0:ffff:192.0.2.1, 192.0.2.1",
        "0000:0000:0000:0000:0000:ffff:c000:0201, 192.0.2.1",
        "64:ff9b::192.0.2.1, 192.0.2.1",
        "64:ff9b::c000:201, 192.0.2.1",
        "0064:FF9B:0:0:0:0:c000:0201, 192.0.2.1",
        "64:ff9b:1::c000:201, 64:ff9b:1::c000:201",
        "2002:c000:201::, 192.0.2.1",
        "2002:C000:0201:ffff:1:2:3:4, 192.0.2.1",
        "2002:c000:201::198.51.100.1, 192.0.2.1",
        "2002:ffff:ffff::1, 255.255.255.255",
        "2001:c000:201::1, 2001:c000:201::1",
        "2003:c000:201::1, 2003:c000:201::1",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "1:2:3:4:5:6:0.0.0.0, 1:2:3:4:5:6::",
        "::0.0.0.0, ::",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:192.0.2.1, 1:2:3:4:5:6:c000:201",
        "::192.0.2.1, ::c000:201",
        "fe80::1%eth0, fe80::1",
        "fe80:0:0:0:0:0:0:1%25, fe80::1"
    })
    void isOneHoweverItIsWritten(String written, String canonical) {
        assertThat(AddressParser.parse(written)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "unknown",
                "_hidden",
                "localhost",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "01.2.3.4",
                "1.2.3.4 ",
                "1..2.3",
                ".1.2.3.4",
                "1.2.3.4.",
                "0x1.2.3.4",
                "1.2.3.-4",
                "2130706433",
                "1.2.3.4%eth0",
                "1.2.3.4:80",
                ":",
                ":::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1::2::3",
                "::1::",
                "::1::2",
                "12345::",
                "g::",
                "1:2:3:4:5:6:7:8::",
                ":1::",
                "1:",
                "::1:",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::1.2.3",
                "::1.2.3.4.5",
                "::1.2.3.4:5",
                "fe80::1%",
                "%eth0",
                "[::1]",
                "1:2:3:4:5:6:7:",
                "１.2.3.4",
                "::１",
                "1.2.3.٤"
            })
    void isNothingElse(String text) {
        assertThat(AddressParser.parse(text)).isNull();
    }

    @Property
    void isReadAsJavaReadsAndWritesIt(@ForAll @Size(16) byte[] bytes) throws UnknownHostException {
        Assume.that(bytes[0] != 0x20 || bytes[1] != 2); // 6to4, which Java takes for itself
        InetAddress java = InetAddress.getByAddress(bytes);
        IpAddress ours = AddressParser.parse(java.getHostAddress());
        assertThat(ours).isNotNull();
        assertThat(ours.inet()).isEqualTo(java);
        assertThat(AddressParser.parse(ours.toString())).isEqualTo(ours);
    }

    @Property
    void isNeverReadDifferentlyFromJava(@ForAll @StringLength(max = 24) @CharRange(from = '0', to = ':') String text)
            throws UnknownHostException {
        IpAddress ours = AddressParser.parse(text);
        if (ours != null && !text.matches("0*2002:.*")) {
            assertThat(ours.inet()).isEqualTo(InetAddress.getByName(text));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.0.0.0/8, ::ffff:10.1.1.1, true",
        "10.0.0.0/8, 2002:a01:101::1, true",
        "10.0.0.0/8, 2002:b01:101::1, false",
        "::ffff:10.0.0.0/104, 10.1.1.1, true",
        "::ffff:10.0.0.0/104, ::ffff:a01:101, true",
        "::ffff:a00:0/104, 11.1.1.1, false",
        "::ffff:0:0/96, 192.0.2.1, true",
        "2002:a00:7::1, 10.0.0.7, true",
        "2000::/3, 2002:a01:101::1, false",
        "10.0.0.7, 10.0.0.7, true",
        "10.0.0.7, 10.0.0.8, false",
        "10.0.0.7/32, 10.0.0.7, true",
        "10.0.0.7/32, 10.0.0.6, false",
        "2001:db8::1/128, 2001:db8::1, true",
        "0.0.0.0/0, 192.0.2.1, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "::/0, 2001:db8::1, true",
        "::/0, 192.0.2.1, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "2001:db8::/65, 2001:db8::7fff:0:0:1, true",
        "2001:db8::/65, 2001:db8::8000:0:0:1, false",
        "::1, 0:0:0:0:0:0:0:1, true"
    })
    void isInARangeOrNot(String range, String address, boolean contained) {
        IpAddress parsed = AddressParser.parse(address);
        assertThat(parsed).isNotNull();
        assertThat(AddressRange.parse(range).contains(parsed.high(), parsed.low()))
                .isEqualTo(contained);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1/8, it has bits set after its prefix; write 10.0.0.0/8",
        "2001:db8::1/32, it has bits set after its prefix; write 2001:db8::/32",
        "::ffff:10.0.0.1/104, it has bits set after its prefix; write 10.0.0.0/8",
        "::ffff:0:0/95, 'write IPv4 networks in IPv4 notation, for example 10.0.0.0/8'",
        "10.0.0.0/33, the number after the slash must be from 0 to 32",
        "10.0.0.0/, the number after the slash must be from 0 to 32",
        "::/129, the number after the slash must be from 0 to 128",
        "64:ff9b::/96, 'write IPv4 networks in IPv4 notation, for example 10.0.0.0/8'",
        "2002::/16, 'write IPv4 networks in IPv4 notation, for example 10.0.0.0/8'",
        "2002:a00:7::/48, 'write IPv4 networks in IPv4 notation, for example 10.0.0.0/8'",
        "gateway, 'write an address, such as 10.0.0.7, or a network, such as 10.0.0.0/8'"
    })
    void isNoRangeIfItIsMiswritten(String text, String why) {
        assertThatThrownBy(() -> AddressRange.parse(text)).hasMessage(why);
    }

    @Test
    void hasAtMostAHundredCharacters() {
        assertThat(AddressParser.parse("fe80::1%" + "z".repeat(92))).hasToString("fe80::1");
        assertThat(AddressParser.parse("fe80::1%" + "z".repeat(93))).isNull();
    }
}
