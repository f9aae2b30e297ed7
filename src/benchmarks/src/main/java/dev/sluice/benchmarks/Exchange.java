package dev.sluice.benchmarks;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.lang.reflect.Proxy;

/**
 * The request and response of one thread, which are reused for each call, as they are in a container. They support only
 * the methods that a rate limiter calls. All other methods throw an exception. Writes cost almost nothing, because only
 * one attribute, the number of headers and a digest of them are stored. If the headers themselves were stored, each
 * write of a reference to an old object would trigger the garbage collector's write barrier, which would be a cost of
 * the container, not of the filter. Not thread-safe.
 */
final class Exchange {

    final Request request;
    final Response response = new Response();

    Exchange(Caller caller) {
        this.request = new Request(caller);
    }

    /** Moves on to the next call. */
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

    /** A GET request with a tenant's address, and with the tenant's name in a header. */
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

    /**
     * A response that counts headers. It reads just enough of each header to prevent the compiler from removing the
     * code that writes it.
     */
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
