package dev.sluice.cli.rehearse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.sluice.internal.text.JsonValues;

/** Writes a report as JSON. */
final class JsonReport {

    private static final ObjectWriter WRITER = new ObjectMapper().writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);

    private JsonReport() {}

    /**
     * Formats the report as multi-line JSON. Escapes all characters outside ASCII, so that names are harmless even in a
     * terminal.
     */
    static String of(RehearsalReport report) {
        return written(WRITER.withDefaultPrettyPrinter(), report) + "\n";
    }

    /**
     * Formats data as single-line JSON for a script element. No name in the data can end the script or start a new one.
     */
    static String inScript(Object data) {
        return written(WRITER, data)
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026");
    }

    private static String written(ObjectWriter writer, Object data) {
        try {
            return writer.writeValueAsString(JsonValues.of(data));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of a report can be written", e);
        }
    }
}
