package dev.sluice.bypass;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** The same as a controller of Spring MVC. */
final class SpringApplication {

    private SpringApplication() {}

    static void addTo(ServletContext context) {
        AnnotationConfigWebApplicationContext beans = new AnnotationConfigWebApplicationContext();
        beans.register(Settings.class, Controller.class);
        ServletRegistration.Dynamic servlet = context.addServlet("dispatcher", new DispatcherServlet(beans));
        servlet.setAsyncSupported(true);
        servlet.setLoadOnStartup(1);
        servlet.addMapping("/");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Settings {}

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
