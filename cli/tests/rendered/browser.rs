//! A browser with one page open, and a record of everything the page did wrong.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use headless_chrome::browser::tab::Tab;
use headless_chrome::browser::tab::point::Point;
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::protocol::cdp::{Emulation, Input, Network, Page as Cdp};
use headless_chrome::{Browser, LaunchOptions};
use serde_json::Value;

/// Nothing may run longer than this.
const PATIENCE: Duration = Duration::from_secs(240);

/// A page in a browser.
pub struct Page {
    tab: Arc<Tab>,
    wrongs: Arc<Mutex<Vec<String>>>,
    visits: AtomicU32,
    /// Closed when the page is dropped.
    _browser: Browser,
}

impl Page {
    /// Opens a file, with `after` at the end of its address.
    pub fn open(chromium: &Path, file: &Path, after: &str) -> Page {
        let flags = [
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ];
        let options = LaunchOptions::default_builder()
            .path(Some(PathBuf::from(chromium)))
            .sandbox(false)
            .window_size(Some((1200, 1000)))
            .idle_browser_timeout(PATIENCE)
            .args(flags.map(OsStr::new).to_vec())
            .build()
            .unwrap();
        let browser = Browser::new(options).expect("the browser starts");
        let tab = browser.new_tab().unwrap();
        tab.set_default_timeout(PATIENCE);
        let wrongs = Arc::new(Mutex::new(Vec::new()));
        let page = Page { tab, wrongs, visits: AtomicU32::new(0), _browser: browser };
        page.listen();
        page.emulate(&[("prefers-reduced-motion", "reduce")]);
        page.go(file, after);
        page
    }

    /// Records every request, error and message of the page.
    fn listen(&self) {
        self.tab.enable_runtime().unwrap();
        self.tab.enable_log().unwrap();
        let network = Network::Enable {
            max_total_buffer_size: None,
            max_resource_buffer_size: None,
            max_post_data_size: None,
            report_direct_socket_traffic: None,
            enable_durable_messages: None,
        };
        self.tab.call_method(network).unwrap();
        let wrongs = self.wrongs.clone();
        let note = move |wrong: String| wrongs.lock().unwrap().push(wrong);
        let listener = move |event: &Event| match event {
            Event::NetworkRequestWillBeSent(event) => {
                let url = &event.params.request.url;
                if !["file:", "data:", "blob:"].iter().any(|own| url.starts_with(own)) {
                    note(format!("it requested {url}"));
                }
            }
            Event::RuntimeExceptionThrown(event) => note(format!("{:?}", event.params.exception_details)),
            Event::RuntimeConsoleAPICalled(event) => note(format!("console: {:?}", event.params.args)),
            Event::LogEntryAdded(event) => note(format!("log: {:?}", event.params.entry.text)),
            _ => {}
        };
        self.tab.add_event_listener(Arc::new(listener)).unwrap();
    }

    /// Sets what the system prefers.
    pub fn emulate(&self, preferences: &[(&str, &str)]) {
        let feature =
            |&(name, value): &(&str, &str)| Emulation::MediaFeature { name: name.into(), value: value.into() };
        let features = Some(preferences.iter().map(feature).collect());
        self.tab.call_method(Emulation::SetEmulatedMedia { media: None, features }).unwrap();
    }

    /// Goes to a file and waits until it is ready. The address has a new number each time, so that the page is loaded again.
    pub fn go(&self, file: &Path, after: &str) {
        let visit = self.visits.fetch_add(1, Ordering::Relaxed);
        self.tab.navigate_to(&format!("file://{}?{visit}{after}", file.display())).unwrap();
        self.wait(&format!("location.search === '?{visit}' && window.menace !== undefined"));
        // A question would wait for an answer that no test gives.
        self.value("void (window.confirm = () => true)");
    }

    /// The value of an expression.
    pub fn value(&self, expression: &str) -> Value {
        let text = self.tab.evaluate(&format!("(async () => JSON.stringify(await ({expression})))()"), true);
        let text = text.unwrap_or_else(|error| panic!("{expression}: {error}")).value;
        match text {
            Some(Value::String(text)) => serde_json::from_str(&text).unwrap(),
            _ => Value::Null,
        }
    }

    /// The text of an element.
    pub fn text(&self, selector: &str) -> String {
        let value = self.value(&format!("document.querySelector({selector:?}).innerText"));
        value.as_str().unwrap_or_else(|| panic!("{selector} has no text")).to_owned()
    }

    /// How many elements there are.
    pub fn count(&self, selector: &str) -> u64 {
        self.value(&format!("document.querySelectorAll({selector:?}).length")).as_u64().unwrap()
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let begun = std::time::Instant::now();
        while self.value(expression) != Value::Bool(true) {
            assert!(begun.elapsed() < PATIENCE, "{expression} never came true");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Clicks an element with the mouse.
    pub fn click(&self, selector: &str) {
        let middle = self.value(&format!(
            "(() => {{ const found = document.querySelector({selector:?}); \
             found.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const {{ left, top, width, height }} = found.getBoundingClientRect(); \
             return [left + width / 2, top + height / 2]; }})()"
        ));
        let [x, y] = [0, 1].map(|at| middle[at].as_f64().unwrap_or_else(|| panic!("there is no {selector}")));
        self.tab.click_point(Point { x, y }).unwrap();
    }

    /// Presses a key.
    pub fn press(&self, key: &str) {
        self.tab.press_key(key).unwrap();
    }

    /// Drops a file onto the page.
    pub fn drop_file(&self, file: &Path) {
        let data = Input::DragData {
            items: Vec::new(),
            files: Some(vec![file.display().to_string()]),
            drag_operations_mask: 1,
        };
        for kind in [
            Input::DispatchDragEventTypeOption::DragEnter,
            Input::DispatchDragEventTypeOption::DragOver,
            Input::DispatchDragEventTypeOption::Drop,
        ] {
            let event =
                Input::DispatchDragEvent { Type: kind, x: 100.0, y: 100.0, data: data.clone(), modifiers: None };
            self.tab.call_method(event).unwrap();
        }
    }

    /// Makes the window this large.
    pub fn resize(&self, width: u32, height: u32) {
        let metrics = Emulation::SetDeviceMetricsOverride {
            width,
            height,
            device_scale_factor: 1.0,
            mobile: width < 600,
            scale: None,
            screen_width: None,
            screen_height: None,
            position_x: None,
            position_y: None,
            dont_set_visible_size: None,
            screen_orientation: None,
            viewport: None,
            display_feature: None,
            device_posture: None,
        };
        self.tab.call_method(metrics).unwrap();
    }

    /// Saves a picture of the page if `MENACE_SCREENS` names a folder for it.
    pub fn screenshot(&self, name: &str) {
        if let Some(folder) = std::env::var_os("MENACE_SCREENS") {
            let format = Cdp::CaptureScreenshotFormatOption::Png;
            let png = self.tab.capture_screenshot(format, None, None, true).unwrap();
            std::fs::write(PathBuf::from(folder).join(format!("{name}.png")), png).unwrap();
        }
    }

    /// Asserts that the page requested nothing and reported nothing.
    pub fn close(self) {
        let wrongs = self.wrongs.lock().unwrap();
        assert!(wrongs.is_empty(), "{wrongs:#?}");
    }
}
