package dev.sluice.bypass;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.FileUrlResource;
import org.springframework.core.io.Resource;
import org.springframework.util.AntPathMatcher;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.PathResourceResolver;

/** The same as a controller of Spring MVC, and files that Spring MVC serves. */
final class SpringApplication {

    private static final Path DIRECTORY = Path.of("src/tests/target/test-classes/bypass/files/");

    private SpringApplication() {}

    /**
     * Adds it to a context.
     *
     * @param settings {@link Settings}, or {@link OlderSettings} for the matcher that was the default before Spring 5.3
     */
    static void addTo(ServletContext context, Class<? extends WebMvcConfigurer> settings) {
        AnnotationConfigWebApplicationContext beans = new AnnotationConfigWebApplicationContext();
        beans.register(settings, Controller.class);
        ServletRegistration.Dynamic servlet = context.addServlet("dispatcher", new DispatcherServlet(beans));
        servlet.setAsyncSupported(true);
        servlet.setLoadOnStartup(1);
        servlet.addMapping("/");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Settings implements WebMvcConfigurer {

        /**
         * Serves the same files from each kind of location, because each kind reads the remaining path in its own way.
         */
        @Override
        public void addResourceHandlers(ResourceHandlerRegistry registry) {
            registry.addResourceHandler("/files/**")
                    .addResourceLocations("classpath:/bypass/files/")
                    .addResourceLocations(new FileUrlResource(url(DIRECTORY)), new FileSystemResource(DIRECTORY + "/"))
                    .resourceChain(false)
                    .addResolver(new ReportingResolver());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class OlderSettings extends Settings {

        @Override
        @SuppressWarnings("removal") // applications use it as long as Spring has it
        public void configurePathMatch(PathMatchConfigurer configurer) {
            configurer.setPathMatcher(new AntPathMatcher());
        }
    }

    private static URL url(Path directory) {
        try {
            return directory.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reports each file that is found, by its place below the directory. */
    private static final class ReportingResolver extends PathResourceResolver {

        @Override
        protected @Nullable Resource getResource(String path, Resource location) throws IOException {
            Resource found = super.getResource(path, location);
            if (found != null) {
                Served.asFile(found.getURI(), response());
            }
            return found;
        }

        private static HttpServletResponse response() {
            ServletRequestAttributes inFlight =
                    (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
            return Objects.requireNonNull(inFlight.getResponse());
        }
    }

    @RestController
    static class Controller {

        @RequestMapping("/login")
        void login(HttpServletRequest request, HttpServletResponse response) {
            Served.asOf(request, response);
            Served.as("login", response);
        }

        @RequestMapping("/api/**")
        void api(HttpServletRequest request, HttpServletResponse response) {
            Served.asOf(request, response);
            Served.as("api", response);
        }

        @RequestMapping("/orgs/{org}/**")
        void org(@PathVariable("org") String org, HttpServletRequest request, HttpServletResponse response) {
            Served.asOf(request, response);
            Served.asOrg(org, response);
        }
    }
}
