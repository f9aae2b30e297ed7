package dev.sluice.internal.servlet.inflight;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * The response of a parked call, as filters and servlets see it once the container has dispatched the call. Remembers
 * whether any of them has begun to answer. The container's own response cannot tell that, because the container itself
 * writes to it without this wrapper, and because some containers hold a small answer back until they have reported the
 * end of the call.
 */
final class ParkedResponse extends HttpServletResponseWrapper {

    /** Written by the thread of the dispatch, read by the one on which the container reports the end. */
    private volatile boolean hasAnswer;

    ParkedResponse(HttpServletResponse response) {
        super(response);
    }

    /** Whether a filter or servlet has set a status or begun a body. Headers alone do not count as an answer. */
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
