package dev.sluice.internal.servlet.inflight;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * The response of a parked call, as seen by filters and servlets after the container has dispatched the call. It
 * records whether any of them has begun a response. The container's own response does not provide this information,
 * because the container itself writes to it without this wrapper. In addition, some containers buffer a small response
 * until they have reported the end of the call.
 */
final class ParkedResponse extends HttpServletResponseWrapper {

    /**
     * Whether a response has begun. The dispatch thread writes this field. The thread on which the container reports
     * the end reads it.
     */
    private volatile boolean hasAnswer;

    ParkedResponse(HttpServletResponse response) {
        super(response);
    }

    /** Whether a filter or servlet has set a status or begun a body. Headers alone are not considered a response. */
    boolean hasAnswer() {
        return hasAnswer;
    }

    @Override
    public void setStatus(int status) {
        hasAnswer = true;
        super.setStatus(status);
    }

    @Override
    public void sendError(int status) throws IOException {
        hasAnswer = true;
        super.sendError(status);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        hasAnswer = true;
        super.sendError(status, message);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        hasAnswer = true;
        super.sendRedirect(location);
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        hasAnswer = true;
        return super.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        hasAnswer = true;
        return super.getWriter();
    }
}
