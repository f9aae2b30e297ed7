package dev.sluice.servlet.underway;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;

/** The response of a dispatch, as the code behind the filter sees it: reports that an error is sent. */
final class WatchedResponse extends HttpServletResponseWrapper {

    private final Runnable onSentError;

    WatchedResponse(HttpServletResponse response, Runnable onSentError) {
        super(response);
        this.onSentError = onSentError;
    }

    @Override
    public void sendError(int status) throws IOException {
        super.sendError(status);
        onSentError.run();
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        super.sendError(status, message);
        onSentError.run();
    }
}
