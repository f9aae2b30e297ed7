package dev.sluice.open;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates a database of countries in MaxMind's format: a binary tree of prefixes, the data of its leaves, and metadata.
 */
final class CountryFile {

    private static final int NONE = -1;
    private static final byte[] MARK = "\u00ab\u00cd\u00efMaxMind.com".getBytes(StandardCharsets.ISO_8859_1);

    private final String type;
    private final List<int[]> nodes = new ArrayList<>(List.of(new int[] {NONE, NONE}));
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();

    CountryFile(String type) {
        this.type = type;
    }

    CountryFile with(String network, String country) throws UnknownHostException {
        int slash = network.indexOf('/');
        byte[] address = InetAddress.getByName(network.substring(0, slash)).getAddress();
        byte[] bits = new byte[16];
        System.arraycopy(address, 0, bits, 16 - address.length, address.length);
        int length = Integer.parseInt(network.substring(slash + 1)) + (address.length == 4 ? 96 : 0);
        int leaf = -2 - data.size(); // numbers below NONE stand for an index in the data
        write(data, Map.of("country", Map.of("iso_code", country)));
        int node = 0;
        for (int i = 0; i < length; i++) {
            int bit = bits[i / 8] >> (7 - i % 8) & 1;
            if (i == length - 1) {
                nodes.get(node)[bit] = leaf;
            } else {
                if (nodes.get(node)[bit] == NONE) {
                    nodes.get(node)[bit] = nodes.size();
                    nodes.add(new int[] {NONE, NONE});
                }
                node = nodes.get(node)[bit];
            }
        }
        return this;
    }

    byte[] bytes() {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (int[] node : nodes) {
            for (int record : node) {
                int value = record == NONE ? nodes.size() : record < NONE ? nodes.size() + 16 + (-2 - record) : record;
                file.write(value >> 16);
                file.write(value >> 8);
                file.write(value);
            }
        }
        file.writeBytes(new byte[16]);
        file.writeBytes(data.toByteArray());
        file.writeBytes(MARK);
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("binary_format_major_version", 2);
        metadata.put("binary_format_minor_version", 0);
        metadata.put("build_epoch", 1_700_000_000L);
        metadata.put("database_type", type);
        metadata.put("description", Map.of("en", "made for a test"));
        metadata.put("ip_version", 6);
        metadata.put("languages", List.of("en"));
        metadata.put("node_count", (long) nodes.size());
        metadata.put("record_size", 24);
        write(file, metadata);
        return file.toByteArray();
    }

    /** Writes ints as uint16, and longs as uint64. */
    private static void write(ByteArrayOutputStream out, Object value) {
        if (value instanceof Map<?, ?> map) {
            out.write(7 << 5 | map.size());
            map.forEach((key, one) -> {
                write(out, key);
                write(out, one);
            });
        } else if (value instanceof List<?> list) {
            out.write(list.size());
            out.write(11 - 7);
            list.forEach(one -> write(out, one));
        } else if (value instanceof String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            if (bytes.length >= 29) {
                throw new IllegalArgumentException("too long for one byte of length: " + text);
            }
            out.write(2 << 5 | bytes.length);
            out.writeBytes(bytes);
        } else if (value instanceof Integer number) {
            out.write(5 << 5 | 2);
            out.writeBytes(ByteBuffer.allocate(2).putShort(number.shortValue()).array());
        } else if (value instanceof Long number) {
            out.write(8);
            out.write(9 - 7);
            out.writeBytes(ByteBuffer.allocate(8).putLong(number).array());
        }
    }
}
