package dev.sluice.page;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Writes JSON. The only class that uses Jackson, which is optional. */
final class JsonText {

    private final ObjectMapper mapper = new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    /** The JSON in UTF-8, in one line. */
    byte[] of(Object data) {
        try {
            return mapper.writeValueAsBytes(data);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of the page can be written", e);
        }
    }
}
