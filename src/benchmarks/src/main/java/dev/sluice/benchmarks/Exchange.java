package dev.sluice.benchmarks;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.lang.reflect.Proxy;

/**
 * One thread's request and response, used again for each call as containers do. They answer what a rate limiter asks,
 * and throw for anything else. What they are told costs next to nothing: they keep one attribute, and of headers the
 * number and a digest. To keep the headers themselves would be to write references into old objects, each of which
 * makes the garbage collector wait for all writes before: a container's cost and not a filter's. Not safe for several
 * threads.
 */
final class Exchange {

    final Request request;
    final Response response = new Response();

    Exchange(Caller caller) {
        this.request = new Request(caller);
    }

    /** Turns to the next call. */
    Exchange next() {
        request.caller.next();
        request.attribute = null;
        response.headers = 0;
        return this;
    }

    private static <T> T refusing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new UnsupportedOperationException(method.toString());
        }));
    }

    /** A GET with a tenant's address and, in a header, its name. */
    static final class Request extends HttpServletRequestWrapper {
        private final Caller caller;
        private String attributeName = "";
        private Object attribute;

        private Request(Caller caller) {
            super(refusing(HttpServletRequest.class));
            this.caller = caller;
        }

        @Override
        public String getMethod() {
            return caller.method();
        }

        @Override
        public String getRequestURI() {
            return caller.path();
        }

        @Override
        public String getContextPath() {
            return "";
        }

        @Override
        public String getRemoteAddr() {
            return caller.ip();
        }

        @Override
        public String getHeader(String name) {
            return caller.header(name);
        }

        @Override
        public Object getAttribute(String name) {
            return name.equals(attributeName) ? attribute : null;
        }

        @Override
        public void setAttribute(String name, Object value) {
            if (!name.equals(attributeName)) {
                attributeName = name;
            }
            attribute = value;
        }
    }

    /** Counts headers, and reads of each so much that it has to be there. */
    static final class Response extends HttpServletResponseWrapper {
        private int headers;
        private int digest;

        private Response() {
            super(refusing(HttpServletResponse.class));
        }

        int headers() {
            return headers;
        }

        int digest() {
            return digest;
        }

        @Override
        public boolean isCommitted() {
            return false;
        }

        @Override
        public void setHeader(String name, String value) {
            headers++;
            digest = 31 * digest + value.charAt(value.length() - 1);
        }

        @Override
        public void addHeader(String name, String value) {
            setHeader(name, value);
        }
    }
}
