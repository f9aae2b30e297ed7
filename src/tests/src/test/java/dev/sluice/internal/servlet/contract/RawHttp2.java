package dev.sluice.internal.servlet.contract;

import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.hpack.HpackDecoder;
import org.eclipse.jetty.http2.hpack.HpackException;

/** Sends header fields over cleartext HTTP/2 exactly as written; other clients would refuse most of these. */
public final class RawHttp2 {

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
    /** The beginning of the static table; names in it are sent as their index. */
    private static final List<String> STATIC_TABLE =
            List.of(":authority", ":method", ":method GET", ":path", ":path /", ":scheme", ":scheme https", ":status");

    private static final Answer NONE = new Answer(0, List.of(), "");
    private static final int LONGEST_FRAME = 16_384;
    private static final int CALL = 1;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int GO_AWAY = 7;
    private static final int CONTINUATION = 9;

    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int PRIORITY = 32;

    private RawHttp2() {}

    /**
     * A name and its value, as they are sent.
     *
     * @param name begins with a colon if HTTP/1.1 has it in the request line
     */
    public record Field(String name, String value) {}

    /** Makes one call without a body; the answer has the status 0 if the server resets or closes. */
    public static Answer send(WebServer server, List<Field> fields) {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(opening(fields, true));
            return answer(new DataInputStream(socket.getInputStream()), out);
        } catch (EOFException | SocketException e) {
            return NONE;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Answer get(WebServer server, String path) {
        return send(server, requestOf("GET", path));
    }

    /** Sends a call without waiting for the answer. */
    static Socket begin(WebServer server, String path) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        socket.getOutputStream().write(opening(requestOf("GET", path), true));
        return socket;
    }

    /** Sends a call and a part of its body, without waiting for the answer. */
    static Socket beginToSend(WebServer server, String path) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        ByteArrayOutputStream call = new ByteArrayOutputStream();
        call.write(opening(requestOf("POST", path), false));
        writeFrame(DATA, 0, CALL, new byte[5], call);
        socket.getOutputStream().write(call.toByteArray());
        return socket;
    }

    private static List<Field> requestOf(String method, String path) {
        return List.of(
                new Field(":method", method),
                new Field(":scheme", "http"),
                new Field(":path", path),
                new Field(":authority", "localhost"));
    }

    /** Resets the call: the caller no longer wants the answer. */
    static void reset(Socket socket) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        writeFrame(RESET, 0, CALL, new byte[] {0, 0, 0, 8}, frame);
        socket.getOutputStream().write(frame.toByteArray());
        socket.getOutputStream().flush();
    }

    private static byte[] opening(List<Field> fields, boolean isWhole) throws IOException {
        ByteArrayOutputStream opening = new ByteArrayOutputStream();
        opening.write(PREFACE);
        writeFrame(SETTINGS, 0, 0, new byte[0], opening);
        byte[] block = literals(fields);
        for (int from = 0; from < block.length; from += LONGEST_FRAME) {
            int to = Math.min(block.length, from + LONGEST_FRAME);
            int flags = (from == 0 && isWhole ? END_STREAM : 0) | (to == block.length ? END_HEADERS : 0);
            writeFrame(from == 0 ? HEADERS : CONTINUATION, flags, CALL, Arrays.copyOfRange(block, from, to), opening);
        }
        return opening.toByteArray();
    }

    private static void writeFrame(int type, int flags, int stream, byte[] payload, OutputStream out)
            throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload);
        out.write(frame.array());
    }

    /**
     * Literal fields without indexing: RFC 7541 6.2.2. Tomcat 11 takes names with a colon from the static table only.
     */
    private static byte[] literals(List<Field> fields) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (Field field : fields) {
            int index = STATIC_TABLE.indexOf(field.name()) + 1;
            block.write(index);
            if (index == 0) {
                writeText(field.name(), block);
            }
            writeText(field.value(), block);
        }
        return block.toByteArray();
    }

    /** The length with a prefix of seven bits, and the text: RFC 7541 5.1 and 5.2. */
    private static void writeText(String text, ByteArrayOutputStream block) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length < 127) {
            block.write(bytes.length);
        } else {
            block.write(127);
            int remaining = bytes.length - 127;
            while (remaining >= 128) {
                block.write((remaining & 127) | 128);
                remaining >>= 7;
            }
            block.write(remaining);
        }
        block.writeBytes(bytes);
    }

    private static Answer answer(DataInputStream in, OutputStream out) throws IOException {
        HpackDecoder decoder = new HpackDecoder(1_000_000, System::nanoTime);
        List<String> lines = new ArrayList<>();
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int status = 0;
        boolean isLast = false;
        while (true) {
            int head = in.readInt();
            int type = head & 255;
            int flags = in.readUnsignedByte();
            in.readInt();
            byte[] payload = in.readNBytes(head >>> 8);
            if (type == GO_AWAY || type == RESET) {
                return new Answer(status, lines, "");
            } else if (type == SETTINGS && (flags & ACK) == 0) {
                writeFrame(SETTINGS, ACK, 0, new byte[0], out);
            } else if (type == DATA) {
                body.writeBytes(content(payload, flags));
                isLast = (flags & END_STREAM) != 0;
            } else if (type == HEADERS || type == CONTINUATION) {
                block.writeBytes(type == HEADERS ? content(payload, flags) : payload);
                isLast |= type == HEADERS && (flags & END_STREAM) != 0;
                if ((flags & END_HEADERS) != 0) {
                    MetaData decoded = decode(decoder, block);
                    status = decoded instanceof MetaData.Response response ? response.getStatus() : status;
                    decoded.getHttpFields().forEach(field -> lines.add(field.getName() + ": " + field.getValue()));
                }
            }
            if (isLast) {
                return new Answer(status, lines, body.toString(StandardCharsets.ISO_8859_1));
            }
        }
    }

    private static MetaData decode(HpackDecoder decoder, ByteArrayOutputStream block) throws IOException {
        try {
            return decoder.decode(ByteBuffer.wrap(block.toByteArray()));
        } catch (HpackException e) {
            throw new IOException(e);
        } finally {
            block.reset();
        }
    }

    private static byte[] content(byte[] payload, int flags) {
        int from = (flags & PADDED) == 0 ? 0 : 1;
        int padding = from == 0 ? 0 : payload[0] & 255;
        from += (flags & PRIORITY) == 0 ? 0 : 5;
        return Arrays.copyOfRange(payload, from, payload.length - padding);
    }
}
